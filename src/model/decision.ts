import type { HubEvent, NewEvent } from "./events.js";

/** What a decider returns: the events to append, and the answer made from them once they have their numbers. */
export type Decision<Answer> = {
  events: readonly NewEvent[];
  answer: (appended: readonly HubEvent[]) => Answer;
};

/**
 * A command's decider: synchronous and pure. It reads its input and the tight views in `context`, and returns a
 * decision or throws a HubError. It runs inside the journal's transaction and sees what its earlier siblings decided.
 */
export type Decider<Context, Input, Answer> = (input: Input, context: Context) => Decision<Answer>;

export function decided<Answer>(events: readonly NewEvent[], answer: Answer): Decision<Answer> {
  return { events, answer: () => answer };
}

/** Commands are data: a kind and an input. The writer could move to another thread without a caller noticing. */
export type Deciders = Record<string, (input: never, context: never) => Decision<unknown>>;

/** What a set of deciders all see. */
export type ContextOf<D extends Deciders> = Parameters<D[keyof D]>[1];

type InputOf<D> = D extends (input: infer I, context: never) => unknown ? I : never;
type AnswerOf<D> = D extends (input: never, context: never) => Decision<infer A> ? A : never;

/** Answers once the command's events are on disk, or rejects with a HubError. */
export type Execute<D> = <K extends keyof D & string>(
  kind: K,
  input: InputOf<D[K]>,
) => Promise<AnswerOf<D[K]>>;
