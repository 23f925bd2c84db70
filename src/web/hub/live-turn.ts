import type { LiveOutputFrame, LivePart } from "../../contract/http/live.js";

/* What an agent's turn has come to so far, made of the frames of the live channel. */

type LiveTool = Extract<LivePart, { kind: "tool" }> & {
  /** When `ms` was told, by this page's clock: a running one has run longer since. */
  toldAt: number;
};

/** `from`: how many characters before it are left out; the offsets of parts count those too. */
type LiveText = { from: number; text: string };

export type LiveTurn = {
  agent: string;
  turn: string;
  began: string;
  messages: readonly string[];
  text: LiveText;
  thoughts: LiveText;
  tools: readonly LiveTool[];
  plan: Extract<LivePart, { kind: "plan" }>["entries"];
  usage: Extract<LivePart, { kind: "usage" }>["usage"] | undefined;
  /** How it ended, if it did: its journalled form is on its way. */
  ended: { at: string; stop: string } | undefined;
};

/** A page keeps the end of a text that is longer. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_TOOLS = 200;

export function advanceLiveTurn(
  turn: LiveTurn | undefined,
  frame: LiveOutputFrame,
  now: number,
): LiveTurn | undefined {
  if ("state" in frame) {
    if (frame.state === "began") return begin(frame);
    return turn?.turn === frame.turn ? { ...turn, ended: { at: frame.at, stop: frame.stop } } : turn;
  }
  // Of a turn whose beginning was missed nothing is known.
  if (turn === undefined || turn.turn !== frame.turn) return turn;
  const { part } = frame;
  switch (part.kind) {
    case "text":
      return { ...turn, text: putAt(turn.text, part.offset, part.text) };
    case "thought":
      return { ...turn, thoughts: putAt(turn.thoughts, part.offset, part.text) };
    case "tool":
      return { ...turn, tools: putTool(turn.tools, { ...part, toldAt: now }) };
    case "plan":
      return { ...turn, plan: part.entries };
    case "usage":
      return { ...turn, usage: part.usage };
  }
}

function begin({
  agent,
  turn,
  at,
  messages,
}: {
  agent: string;
  turn: string;
  at: string;
  messages: string[];
}): LiveTurn {
  return {
    agent,
    turn,
    began: at,
    messages,
    text: nothing,
    thoughts: nothing,
    tools: [],
    plan: [],
    usage: undefined,
    ended: undefined,
  };
}

const nothing: LiveText = { from: 0, text: "" };

/** What stands at an offset. Told twice, it stands once; after a gap what came before is given up: the turn's end has all. */
function putAt({ from, text }: LiveText, offset: number, more: string): LiveText {
  if (offset < from || offset > from + text.length) return { from: offset, text: more };
  const all = text.slice(0, offset - from) + more;
  const over = all.length - MOST_CHARACTERS;
  // Seldom, and much at once: cutting copies all of it.
  return over > MOST_CHARACTERS / 4 ? { from: from + over, text: all.slice(over) } : { from, text: all };
}

function putTool(tools: readonly LiveTool[], tool: LiveTool): readonly LiveTool[] {
  const at = tools.findIndex(({ id }) => id === tool.id);
  return at < 0 ? [...tools, tool].slice(-MOST_TOOLS) : tools.with(at, tool);
}
