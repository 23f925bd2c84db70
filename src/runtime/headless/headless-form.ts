import type { Launch, OutputPart, PermissionRequest, TurnStop, Usage } from "../runtime.js";

/**
 * How one vendor's CLI runs a single turn, and how its output is read. The prompt goes to its standard input, which is then
 * closed; unless the CLI can be talked to.
 */
export type HeadlessForm = {
  /** What comes after the command. `wired` is what tells it of Huddle's tools. */
  args(
    launch: Launch,
    /** `isNew`: the session's id is ours, and it may not exist yet. */
    turn: { session?: string; isNew?: boolean; wired: readonly string[] },
  ): readonly string[];
  /** A reader of one turn's lines. What it does not know, it leaves out: vendors add kinds of lines. */
  createReader(): TurnReader;
  /** It begins a session of an id that we choose, for a CLI that tells its own too late for a turn that is cut. */
  choosesSession?: boolean;
  /** Once it answers, its session has the prompt, however its process ends. */
  keepsPrompts?: boolean;
  /** What it says on standard error that it did not let its model do, where its lines do not. */
  readRefusals?(stderr: string): readonly string[];
  /** Of a CLI that asks for permission while it works; undefined where this launch has no need of that. */
  createTalk?(launch: Launch, turn: { prompt: string; session?: string }): Talk | undefined;
};

/** One turn of a CLI that reads lines of JSON as long as it works. Its input is closed when the turn has ended. */
export type Talk = {
  /** The lines that it gets first. */
  opening: readonly unknown[];
  read: TurnReader;
  /** The line that makes it end its turn; undefined when there is none to end yet. */
  interrupt(): unknown;
};

export type TurnReader = (line: unknown) => TurnEvent[];

export type TurnEvent =
  | { kind: "session"; id: string }
  /** From now on its session has the prompt, also if the turn is cut before the first word. */
  | { kind: "kept" }
  | { kind: "output"; part: OutputPart }
  | { kind: "send"; line: unknown }
  | { kind: "ask"; ask: Ask }
  /** It does not want to know any more. */
  | { kind: "withdrawn"; ask: string }
  /** Its model was not let do this, and nobody was asked. */
  | { kind: "refused"; what: string }
  /** The turn's result; the process still has to end. */
  | { kind: "end"; stop: TurnStop; usage?: Usage; sessionUsage?: Usage; error?: string };

/** A permission that it asks for. */
export type Ask = {
  id: string;
  request: Omit<PermissionRequest, "signal">;
  /** Huddle's own tools are granted without asking anybody. */
  isOwnTool: boolean;
  /** The line that answers it; without an option nobody decided. */
  answer(option: string | undefined): unknown;
};

export function textEvent(text: string): TurnEvent[] {
  return text === "" ? [] : [{ kind: "output", part: { kind: "text", text } }];
}

export function thoughtEvent(text: string): TurnEvent[] {
  return text === "" ? [] : [{ kind: "output", part: { kind: "thought", text } }];
}

/** Puts an empty line between messages of one turn. */
export function createParagraphs(): (text: string) => TurnEvent[] {
  let first = true;
  return (text) => {
    if (text === "") return [];
    const events = textEvent(first ? text : `\n\n${text}`);
    first = false;
    return events;
  };
}

type ToolPart = Extract<OutputPart, { kind: "tool" }>;

/** As much of what a tool is used on as its title has, and as is told of one that was refused: there the exact words count. */
const titleMost = 200;
const refusedMost = 2000;

/** Remembers tool calls: the line that ends one does not say what it was. */
export function createToolLog() {
  const calls = new Map<string, { title: string; whole: string }>();
  const event = (id: string, status: ToolPart["status"]): TurnEvent[] => [
    { kind: "output", part: { kind: "tool", id, title: calls.get(id)?.title ?? "a tool", status } },
  ];
  return {
    begin(id: string, name: string, input: unknown, status: ToolPart["status"] = "running"): TurnEvent[] {
      calls.set(id, { title: titleOf(name, input), whole: titleOf(name, input, refusedMost) });
      return event(id, status);
    },
    end: (id: string, failed: boolean) => event(id, failed ? "failed" : "done"),
    refused: (id: string): TurnEvent[] => [{ kind: "refused", what: calls.get(id)?.whole ?? "a tool" }],
  };
}

/** The tool and what it is used on: its first argument that is a text. */
function titleOf(name: string, input: unknown, most = titleMost): string {
  if (typeof input !== "object" || input === null) return name;
  const values: unknown[] = Object.values(input);
  const said = values.find((value) => typeof value === "string" && value !== "");
  return typeof said === "string" ? `${name}: ${said.slice(0, most)}` : name;
}
