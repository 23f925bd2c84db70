/*
 * What the scripted model does when it is asked: a script is a list of steps. A reply to the CLI is made of the steps
 * up to and including the next `call`; the CLI runs the tool and asks again, and the script goes on behind it.
 */

export type ToolCall = {
  /** The tool's own name, such as `send_message`; each CLI decorates it differently. */
  tool: string;
  /** `{{path}}` in a string stands for that value of the newest tool result, such as `{{messages.0.id}}`. */
  args: Record<string, unknown>;
};

export type Step =
  | { kind: "say"; text: string }
  | { kind: "think"; text: string }
  /** What the user said, without directives. */
  | { kind: "echo" }
  /** So many pieces of text, so many milliseconds apart. */
  | { kind: "stream"; chunks: number; everyMs: number }
  | { kind: "wait"; ms: number }
  /** Goes on when the test calls `release(name)`. */
  | { kind: "hold"; name: string }
  /** All of them in one reply. */
  | { kind: "call"; calls: readonly ToolCall[] }
  /**
   * A command in the CLI's own shell tool, a file with its own editing tool: what it asks permission for. codex runs
   * commands in a sandbox without asking; `ask` wants it outside.
   */
  | { kind: "shell"; command: string; ask?: boolean }
  | { kind: "write"; path: string; text: string }
  /** An HTTP error, so many times; then the script goes on. */
  | { kind: "error"; status: number; times: number }
  /** The account's usage limit is reached, as the vendor's own service answers it, so many times. */
  | { kind: "limit"; resetsInSeconds: number; times: number };

export type Script = readonly Step[];

export const say = (text: string): Step => ({ kind: "say", text });
export const call = (tool: string, args: Record<string, unknown> = {}): Step => ({
  kind: "call",
  calls: [{ tool, args }],
});
export const hold = (name: string): Step => ({ kind: "hold", name });
export const ask = (command: string): Step => ({ kind: "shell", command, ask: true });

/** Whether the CLI must run something before the script can go on. */
export function endsReply(step: Step): boolean {
  return step.kind === "call" || step.kind === "shell" || step.kind === "write";
}
