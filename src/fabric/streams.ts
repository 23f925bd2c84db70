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
import { LINK_STREAM, LINK_SUBJECTS, REGISTER_STREAM, REGISTER_SUBJECTS } from "./subjects.js";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Of one batch. As much as a hub takes over HTTP, and what sealing adds; of a pull's 32 there may be 64 MB under way, beyond which the
 * server drops a connection as too slow, again and again.
 */
export const BATCH_BYTES = 1_250_000;

export const STREAM_SIZES = {
  linkBytes: 2 * 1024 ** 3,
  registerBytes: 256 * 1024 ** 2,
};

/**
 * Makes what is missing of the fabric's streams, and leaves what is there as it is. Only a steward may. Registers come first: who has
 * found a mailbox can say who it is.
 */
export async function ensureStreams(connection: NatsConnection, replicas = 1): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  for (const config of streamConfigs(replicas).reverse()) {
    try {
      await manager.streams.info(config.name);
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound)
        throw error;
      await manager.streams.add(config);
    }
  }
}

function streamConfigs(replicas: number) {
  const { linkBytes, registerBytes } = STREAM_SIZES;
  const common = {
    storage: StorageType.File,
    num_replicas: replicas,
    allow_direct: true,
    deny_delete: true,
    // Newer servers would stop at a thousand.
    max_consumers: 10_000,
    max_msg_size: BATCH_BYTES,
  };
  return [
    {
      ...common,
      name: LINK_STREAM,
      subjects: LINK_SUBJECTS,
      retention: RetentionPolicy.Workqueue,
      // A full mailbox says so. The other policy would drop the oldest without a word.
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_msgs_per_subject: 1024,
      max_age: nanos(14 * DAY_MS),
      max_bytes: linkBytes,
    },
    {
      ...common,
      name: REGISTER_STREAM,
      subjects: REGISTER_SUBJECTS,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_msgs_per_subject: 1,
      max_age: nanos(30 * DAY_MS),
      max_bytes: registerBytes,
    },
  ] satisfies (Partial<StreamConfig> & { name: string })[];
}
