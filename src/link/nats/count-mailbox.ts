import { JetStreamApiCodes, JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { HubId } from "../../model/link.js";
import { mailboxStream } from "./mailbox-stream.js";

/** How much waits for a hub, under way or not; or why nobody can say, and what to do. */
export type MailboxCount = { kind: "counted"; waiting: number } | { kind: "unknown"; problem: string };

const COUNT_MS = 2000;

export async function countMailbox(connection: NatsConnection, hub: HubId): Promise<MailboxCount> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: COUNT_MS });
    const stream = await mailboxStream(connection, hub);
    const { num_pending: waiting, num_ack_pending: underWay } = await manager.consumers.info(stream, hub);
    return { kind: "counted", waiting: waiting + underWay };
  } catch (error) {
    return { kind: "unknown", problem: explain(error) };
  }
}

function explain(error: unknown): string {
  if (!(error instanceof JetStreamApiError))
    return "the server does not answer. Check this machine's network; in a cluster most of the servers must run";
  switch (error.code) {
    case JetStreamApiCodes.ConsumerNotFound:
      return "this hub's mailbox is not there; it is made again by itself";
    case JetStreamApiCodes.StreamNotFound:
      return "the fabric's streams are not there: a hub that was admitted as a steward makes them, or huddle fabric up where the server runs";
    default:
      return `the server keeps no mail now (${error.message}). In a cluster most of the servers must run`;
  }
}
