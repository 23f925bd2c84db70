/**
 * What a message of a type of document 004 says besides its text. Stated by its sender and checked by the hub; `type` of the message
 * says which.
 */
export type Typed =
  | { kind: "status"; status: "idle" | "busy" | "offline" }
  | { kind: "coordination"; action: "claim" | "release"; task: string }
  | { kind: "pr-review"; repo: string; branch?: string; pr?: number }
  | { kind: "memory"; name: string; version: number }
  | { kind: "handoff"; task: string };

/** In the words of document 004, as they follow `[Agent] R2: `; undefined where the text says it all. */
export function typedWords(typed: Typed): string | undefined {
  switch (typed.kind) {
    case "status":
      return `[Status: ${typed.status}]`;
    case "coordination":
      return `[Coordination: ${typed.action === "claim" ? "claimed" : "released"} "${typed.task}"]`;
    default:
      return undefined;
  }
}
