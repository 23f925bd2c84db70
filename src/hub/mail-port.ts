import type { AgentId } from "../model/agent.js";
import type { OfferedMessage } from "./commands/offer-messages.js";

/** Takes mail as it comes, for as long as it stays. */
export type MailTaker = {
  /** Messages that were handed out, on disk: they are with this taker until they are proved or it leaves. */
  take(messages: readonly OfferedMessage[]): void;
  /** Nothing can be handed out. */
  fail(error: unknown): void;
};

export type TakerSeat = {
  /** How many it takes that are not proved; 0: none for now. */
  setWindow(window: number): void;
  /** What is with it waits in the inbox again. */
  leave(): void;
};

/** Hands out mail to whoever takes it as it comes. Of several takers of one agent, each message goes to one. */
export type MailPump = {
  join(agent: AgentId, taker: MailTaker): TakerSeat;
  /** Since when, in wall time, somebody takes the mail of this agent. */
  takenSince(agent: AgentId): number | undefined;
};
