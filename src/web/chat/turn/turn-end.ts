import { sayLength, toMs } from "../../parts/time.js";
import type { Message } from "../bubble/mail.js";
import type { TurnShown } from "./turn-shown.js";

/** What a turn that did not come to its own end says below it. */
export type TurnEnd = { tone: "quiet" | "failed"; head: string; rest: string };

type Around = {
  /** What interrupts, among what was accepted while the turn ran. */
  interrupting: Message | undefined;
  next: { turn: TurnShown; name: string } | undefined;
};

export function describeEnd(turn: TurnShown, { interrupting, next }: Around): TurnEnd | undefined {
  if (turn.ended === null || turn.stop === null || turn.stop === "end_turn") return undefined;
  const after = `after ${sayLength(toMs(turn.ended) - toMs(turn.started))}`;
  const error = turn.error === undefined ? "" : ` ${turn.error}`;
  switch (turn.stop) {
    case "cancelled": {
      const by =
        interrupting === undefined ? "" : ` by ${interrupting.source === "user" ? "you" : interrupting.from}`;
      return { tone: "quiet", head: `Interrupted${by}`, rest: `${after}.${again(turn, next)}` };
    }
    case "max_tokens":
      return {
        tone: "failed",
        head: "Cut off:",
        rest: `it reached the most tokens that its model may write, ${after}.`,
      };
    case "max_turns":
      return {
        tone: "failed",
        head: "Cut off:",
        rest: `it reached the most steps that it may take, ${after}.`,
      };
    case "refusal":
      return { tone: "failed", head: "Refused:", rest: `its model refused to go on, ${after}.` };
    case "limited":
      return {
        tone: "failed",
        head: "Usage limit reached",
        rest: `${after}. Its mail waits until that is over.`,
      };
    case "died":
      return { tone: "failed", head: "Its process ended", rest: `${after}.${error}` };
    case "hub_restart":
    case "hub_stop":
      return { tone: "quiet", head: "Cut by a stop of the hub", rest: `${after}.${again(turn, next)}` };
    case "not_taken":
      return {
        tone: "failed",
        head: "Not taken:",
        rest: `it did not take what it was given, ${after}.${again(turn, next)}`,
      };
    default:
      return { tone: "failed", head: "Failed", rest: `${after}.${error}` };
  }
}

function again(turn: TurnShown, next: Around["next"]): string {
  const repeated =
    next === undefined ? 0 : turn.messages.filter((id) => next.turn.messages.includes(id)).length;
  const seen = turn.messages.length - repeated;
  if (repeated === 0 || next === undefined) return "";
  const had = seen === 0 ? "" : ` It had seen ${seen} message${seen === 1 ? "" : "s"};`;
  const others =
    seen === 0
      ? repeated === 1
        ? " What it was told came again"
        : ` Its ${repeated} messages came again`
      : ` ${repeated} other${repeated === 1 ? "" : "s"} came again`;
  return `${had}${others} in ${next.name}.`;
}
