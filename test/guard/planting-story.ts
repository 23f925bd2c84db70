import type { TestHub } from "../fakes/test-hub.js";

/** What each part of the planted story works with. */
export type Story = {
  hub: TestHub;
  /** Notes a word, and gives it. */
  secret(what: string): string;
  ids: string[];
};

export async function readAll(hub: TestHub, agent: string): Promise<void> {
  const { messages } = await hub.read(agent);
  if (messages.length > 0) await hub.ack(agent, ...messages.map(({ message }) => message.id));
}
