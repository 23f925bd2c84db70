import type { Mail } from "../bubble/mail.js";
import { isSending } from "./tool-summary.js";
import type { ToolCall, TurnShown } from "./turn-shown.js";

/** A turn in reading order: what was said, and between it what was done and sent. */
export type TurnPiece =
  | { kind: "text"; key: string; text: string }
  | { kind: "tools"; key: string; tools: readonly ToolCall[] }
  | { kind: "sent"; key: string; mail: Mail };

/**
 * Calls stand where the text was when they were made. Mail follows the calls that sent it; where those are not told apart it
 * stands after the last call. The call that still runs is left out: it stands last, by itself.
 */
export function cutTurn(turn: TurnShown, sent: readonly Mail[]): TurnPiece[] {
  const running = runningTool(turn);
  const groups = groupCalls(
    turn,
    turn.tools.filter((call) => call !== running),
  );
  const waiting = [...sent];
  const pieces: TurnPiece[] = [];
  let from = 0;
  groups.forEach(({ at, tools }, index) => {
    pushText(pieces, turn.text.slice(from, at), from);
    from = at;
    pieces.push({ kind: "tools", key: `tools-${at}`, tools });
    const count = index === groups.length - 1 ? waiting.length : tools.filter(isSending).length;
    for (const mail of waiting.splice(0, count)) pieces.push(sentPiece(mail));
  });
  if (groups.length === 0) pieces.push(...waiting.map(sentPiece));
  pushText(pieces, turn.text.slice(from), from);
  return pieces;
}

/** The newest call that has not come to its end, of a turn that runs. */
export function runningTool(turn: TurnShown): ToolCall | undefined {
  if (turn.state !== "running") return undefined;
  return turn.tools.findLast(({ status }) => status === "running" || status === "pending");
}

function sentPiece(mail: Mail): TurnPiece {
  return { kind: "sent", key: `sent-${mail.message.id}`, mail };
}

function pushText(pieces: TurnPiece[], text: string, at: number): void {
  if (text.trim() !== "") pieces.push({ kind: "text", key: `text-${at}`, text });
}

/** Calls made without a word between them are one group. */
function groupCalls(turn: TurnShown, calls: readonly ToolCall[]): { at: number; tools: ToolCall[] }[] {
  const groups: { at: number; tools: ToolCall[] }[] = [];
  for (const call of calls) {
    // What was cut from the beginning of a long turn moves all that follows.
    const offset = (call.offset ?? turn.text.length) - (turn.cut?.text ?? 0);
    const at = Math.max(0, Math.min(offset, turn.text.length));
    const last = groups.at(-1);
    if (last !== undefined && turn.text.slice(last.at, at).trim() === "") last.tools.push(call);
    else groups.push({ at, tools: [call] });
  }
  return groups;
}
