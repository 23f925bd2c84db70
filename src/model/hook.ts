import type { MessageId } from "./message.js";

/**
 * When a hook of an agent's program runs, by what its text does there: `start` puts it beside the first prompt of a session,
 * `context` beside what the model reads next in a turn, `stop` keeps a turn going that is about to end, `idle` starts one in a program that waits for its person.
 */
export const hookMoments = ["start", "context", "stop", "idle"] as const;
export type HookMoment = (typeof hookMoments)[number];

/** What a hook hands over. */
export type HookMail = {
  /** For the model; undefined when there is nothing to say. */
  text: string | undefined;
  /** What the text holds. */
  messages: readonly { seq: number; id: MessageId }[];
  /** How many more wait, to be read with `check_messages`. */
  more: number;
  /** The agent is at work again, or another hook of it waits: there is nothing to wait for any more. */
  over: boolean;
};
