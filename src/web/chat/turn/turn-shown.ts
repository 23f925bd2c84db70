import type { LiveOutputFrame, LivePart } from "../../../contract/http/live.js";
import type { TurnView } from "../../../contract/http/turns.js";

/*
 * A turn as a chat shows it, while it runs and afterwards. The live one is put together from frames without sequence; when
 * the turn ends the journal has it, under the same id, and takes its place in the same row.
 */

export type ToolCall = TurnView["tools"][number] & { id?: string };

export type TurnShown = Omit<TurnView, "tools" | "seq"> & {
  tools: readonly ToolCall[];
  /** Open, ended, or cut off from the hub in between. */
  state: "running" | "ended" | "unknown";
  /** Characters that were never sent to this page, because there were too many of them. */
  gaps: number;
};

export function showEnded(turn: TurnView): TurnShown {
  const { seq: _, ...rest } = turn;
  return { ...rest, state: turn.ended === null ? "running" : "ended", gaps: 0 };
}

/** What is known of a turn after one more frame of it; undefined for frames of turns that this page saw nothing of. */
export function applyFrame(turn: TurnShown | undefined, frame: LiveOutputFrame): TurnShown | undefined {
  if ("part" in frame) return turn?.turn === frame.turn ? applyPart(turn, frame.part) : turn;
  if (frame.state === "began") return beginTurn(frame);
  return turn?.turn === frame.turn ? { ...turn, state: "ended", ended: frame.at, stop: frame.stop } : turn;
}

function beginTurn({ turn, at, messages }: { turn: string; at: string; messages: string[] }): TurnShown {
  return {
    turn,
    started: at,
    ended: null,
    stop: null,
    messages,
    text: "",
    thoughts: "",
    tools: [],
    plan: [],
    usage: null,
    state: "running",
    gaps: 0,
  };
}

function applyPart(turn: TurnShown, part: LivePart): TurnShown {
  switch (part.kind) {
    case "text": {
      const { text, left } = putAt(turn.text, part);
      return { ...turn, text, gaps: turn.gaps + left };
    }
    case "thought":
      return { ...turn, thoughts: putAt(turn.thoughts, part).text };
    case "tool": {
      const { kind: _, ...call } = part;
      const known = turn.tools.some(({ id }) => id === call.id);
      const tools = known
        ? turn.tools.map((one) => (one.id === call.id ? call : one))
        : [...turn.tools, call];
      return { ...turn, tools };
    }
    case "plan":
      return { ...turn, plan: part.entries };
    case "usage":
      return { ...turn, usage: part.usage };
  }
}

/** A frame may repeat what is there, and may leave something out. */
function putAt(
  had: string,
  { offset, text }: { offset: number; text: string },
): { text: string; left: number } {
  if (offset <= had.length) return { text: had.slice(0, offset) + text, left: 0 };
  return { text: `${had.padEnd(offset - 1)}…${text}`, left: offset - had.length };
}
