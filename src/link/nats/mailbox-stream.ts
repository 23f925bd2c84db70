import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { linkStreamOf, readDescription, type StreamCount } from "../../fabric/link-streams.js";
import { REGISTER_STREAM } from "../../fabric/subjects.js";
import type { HubId } from "../../model/link.js";

const learned = new WeakMap<NatsConnection, Promise<StreamCount>>();
const ANSWER_MS = 5000;

/** The stream that has a hub's mailbox. The server says how they are spread: once for each connection, and again when it is to be learned anew. */
export async function mailboxStream(connection: NatsConnection, hub: HubId): Promise<string> {
  return linkStreamOf(hub, await (learned.get(connection) ?? learnStreams(connection)));
}

/** Streams may have been made again since, by a steward that wants more or fewer. */
export function learnStreams(connection: NatsConnection): Promise<StreamCount> {
  const learning = ask(connection);
  learned.set(connection, learning);
  learning.catch(() => learned.delete(connection));
  return learning;
}

async function ask(connection: NatsConnection): Promise<StreamCount> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
  const { config } = await manager.streams.info(REGISTER_STREAM);
  return readDescription(config.description);
}
