import type { OfferedMessage } from "../../src/hub/commands/offer-messages.js";
import { HUMAN_ID } from "../../src/model/agent.js";
import type { Message } from "../../src/model/message.js";

/** A message of ann's to bob, for whoever composes what a model reads. */
export function message(content: string, more: Partial<Message> = {}): Message {
  return {
    id: "0199aaaa-bbbb-7ccc-8ddd-eeee12345678",
    type: "message",
    from: "id-ann",
    fromName: "ann",
    to: [{ agent: "id-bob", name: "bob" }],
    toName: "bob",
    content,
    attention: "queue",
    source: "agent",
    trust: "local",
    conversation: "c",
    hop: 0,
    ...more,
  };
}

export const fromHuman = { from: HUMAN_ID, fromName: "user", trust: "human", source: "user" } as const;

export function offered(...messages: Message[]): OfferedMessage[] {
  return messages.map((one, i) => ({ message: one, seq: i + 1, at: 0, repeated: false }));
}
