import { onTestFinished } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import type { House } from "./house.js";

/** From now on, what the hub records: for the words of an expectation that fails rarely, and should say why. */
export async function openStory(house: House): Promise<() => string> {
  const { url, operator } = house.hub();
  const stream = await openServerSentEvents(url, { token: operator });
  onTestFinished(() => stream.close());
  return () =>
    stream
      .events()
      .map(({ type, data }) => `${type} ${JSON.stringify(data).slice(0, 600)}`)
      .join("\n");
}
