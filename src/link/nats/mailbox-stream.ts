import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { linkStreamOf, readDescription, type StreamCount } from "../../fabric/link-streams.js";
import { ackStreamOf } from "../../fabric/streams.js";
import { REGISTER_STREAM } from "../../fabric/subjects.js";
import type { HubId } from "../../model/link.js";

/** How the streams of a fabric are laid out. `acks`: the one that keeps the last acks. */
type Layout = { count: StreamCount; acks: string };

const learned = new WeakMap<NatsConnection, Promise<Layout>>();
const ANSWER_MS = 5000;

/** The stream that has a hub's mailbox. The server says how they are spread: once for each connection, and again when it is to be learned anew. */
export async function mailboxStream(connection: NatsConnection, hub: HubId): Promise<string> {
  return linkStreamOf(hub, (await layoutOf(connection)).count);
}

export async function ackStream(connection: NatsConnection): Promise<string> {
  return (await layoutOf(connection)).acks;
}

const layoutOf = (connection: NatsConnection) => learned.get(connection) ?? learnStreams(connection);

/** Streams may have been made again since, by a steward that wants more or fewer. */
export function learnStreams(connection: NatsConnection): Promise<Layout> {
  const learning = ask(connection);
  learned.set(connection, learning);
  learning.catch(() => learned.delete(connection));
  return learning;
}

async function ask(connection: NatsConnection): Promise<Layout> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
  const { config } = await manager.streams.info(REGISTER_STREAM);
  return { count: readDescription(config.description), acks: ackStreamOf(config) };
}
