import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { describeStreams, linkStreams, readDescription, type StreamCount } from "./link-streams.js";
import { ACK_STREAM, ACK_SUBJECTS, REGISTER_STREAM, REGISTER_SUBJECTS } from "./subjects.js";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Of one batch. As much as a hub takes over HTTP, and what sealing adds; of a pull's 32 there may be 64 MB under way, beyond which the
 * server drops a connection as too slow, again and again.
 */
export const BATCH_BYTES = 1_250_000;

/** Of one entry or ack, which have about one KB: a member that leaves larger ones would push out those of others. */
const REGISTER_ENTRY_BYTES = 4096;

export const STREAM_SIZES = {
  /** Of all mailboxes together. */
  linkBytes: 2 * 1024 ** 3,
  ackBytes: 192 * 1024 ** 2,
  registerBytes: 64 * 1024 ** 2,
};

/** `replicas`: how many servers of a cluster keep each. `count`: over how many streams mailboxes are spread. */
export type StreamsWanted = { replicas?: number | undefined; count?: StreamCount | undefined };

type Manager = Awaited<ReturnType<typeof jetstreamManager>>;
type NamedStream = Partial<StreamConfig> & { name: string };

/**
 * Makes what is missing of the fabric's streams, and leaves what is there as it is. Only a steward may. Registers come first: who has
 * found a mailbox can say who it is. They also say how the mailboxes are spread, so stewards that want it otherwise agree.
 */
export async function ensureStreams(
  connection: NatsConnection,
  { replicas = 1, count = 1 }: StreamsWanted = {},
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const registers = await ensureStream(manager, registerConfig(replicas, count));
  if (ackStreamOf(registers) === ACK_STREAM) await ensureStream(manager, ackConfig(replicas));
  await Promise.all(
    linkConfigs(replicas, readDescription(registers.description)).map((one) => ensureStream(manager, one)),
  );
}

/** Where acks are kept: the registers of older fabrics have them too, and stay as they are. */
export function ackStreamOf({ subjects }: Pick<StreamConfig, "subjects">): string {
  return ACK_SUBJECTS.some((one) => subjects?.includes(one)) ? REGISTER_STREAM : ACK_STREAM;
}

async function ensureStream(manager: Manager, wanted: NamedStream): Promise<StreamConfig> {
  try {
    return (await manager.streams.info(wanted.name)).config;
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    return (await manager.streams.add(wanted)).config;
  }
}

const common = (replicas: number) => ({
  storage: StorageType.File,
  num_replicas: replicas,
  allow_direct: true,
  deny_delete: true,
  // Newer servers would stop at a thousand.
  max_consumers: 10_000,
});

function linkConfigs(replicas: number, count: StreamCount): NamedStream[] {
  return linkStreams(count).map((stream) => ({
    ...common(replicas),
    ...stream,
    max_msg_size: BATCH_BYTES,
    retention: RetentionPolicy.Workqueue,
    // A full mailbox says so. The other policy would drop the oldest without a word.
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1024,
    max_age: nanos(14 * DAY_MS),
    max_bytes: Math.floor(STREAM_SIZES.linkBytes / count),
  }));
}

function registerConfig(replicas: number, count: StreamCount): NamedStream {
  return {
    ...lastValues(replicas),
    ...describeStreams(count),
    name: REGISTER_STREAM,
    subjects: REGISTER_SUBJECTS,
    max_bytes: STREAM_SIZES.registerBytes,
  };
}

function ackConfig(replicas: number): NamedStream {
  return {
    ...lastValues(replicas),
    name: ACK_STREAM,
    subjects: ACK_SUBJECTS,
    max_bytes: STREAM_SIZES.ackBytes,
  };
}

const lastValues = (replicas: number) => ({
  ...common(replicas),
  max_msg_size: REGISTER_ENTRY_BYTES,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_msgs_per_subject: 1,
  max_age: nanos(30 * DAY_MS),
});
