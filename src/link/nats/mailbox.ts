import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { linkSubject } from "../../fabric/subjects.js";
import type { HubId } from "../../model/link.js";
import type { LinkLog } from "../link-log.js";
import type { After } from "../timers.js";
import { createMailboxLine, type Handled, type MailboxLine } from "./mailbox-line.js";
import { learnStreams, mailboxStream } from "./mailbox-stream.js";

export type Mailbox = {
  /**
   * Takes from this connection, in place of any before; opened anew also where it is the same one that was away for a moment. The client would go
   * on by itself, and if its first question then gets no answer it waits for up to a minute and a half, with no beats to miss.
   */
  read(connection: NatsConnection): void;
  pause(): void;
  close(): Promise<void>;
};

type MailboxOptions = {
  hub: HubId;
  /** Whether there are several servers, of which another one may lead. */
  isCluster: boolean;
  handle: (subject: string, payload: Uint8Array) => Promise<Handled>;
  /** The mailbox was opened: after each connect, and after it was gone. */
  onOpen: (connection: NatsConnection) => void;
  /** It cannot be opened now, and is tried again. */
  onFailed: () => void;
  log: LinkLog;
  after: After;
};

/** How long the server waits before it hands the same thing out again. */
const ACK_WAIT_MS = 30_000;
/** More at once, each of the largest size, and the server would drop the connection as too slow, for ever. */
const AT_ONCE = 32;
const AGAIN_MS = 500;
/**
 * How long a pull lasts, and how often the server says meanwhile that it knows of it. Two beats that are missed: it forgot the pull without a
 * word, as a cluster does when its leader changes. A single server that goes or loses the consumer is noticed at once, by the connection or
 * because it says so. Beats are most of what an idle hub and its server do, so there are no more of them than that takes.
 */
const PULLS = {
  cluster: { expires: 20_000, idle_heartbeat: 5000 },
  single: { expires: 60_000, idle_heartbeat: 20_000 },
};

/**
 * Reads this hub's mailbox: one durable consumer, which is made again whenever it is gone. What comes from one hub is handled one after
 * the other, and what comes from several side by side.
 */
export function createMailbox(options: MailboxOptions): Mailbox {
  const { hub, isCluster, handle, onOpen, onFailed, log, after } = options;
  const lines = new Map<string, MailboxLine>();
  let current: NatsConnection | undefined;
  /** Counts how often it was to be opened. */
  let turn = 0;
  let stop = () => {};
  let reading: Promise<void> = Promise.resolve();

  async function readAll(connection: NatsConnection) {
    let told: string | undefined;
    while (current === connection && !connection.isClosed()) {
      const own = turn;
      try {
        await readOnce(connection);
        told = undefined;
      } catch (error) {
        if (current !== connection) return;
        const reason = error instanceof Error ? error.message : String(error);
        if (told !== reason)
          log.warn({ reason }, "this hub's mailbox on the fabric cannot be read; trying again");
        told = reason;
        onFailed();
      }
      if (current === connection && own === turn) await wait(AGAIN_MS);
    }
  }

  /** Until the consumer is gone. */
  async function readOnce(connection: NatsConnection) {
    const own = turn;
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await learnStreams(connection);
    const stream = await mailboxStream(connection, hub);
    await manager.consumers.add(stream, {
      durable_name: hub,
      filter_subject: linkSubject(hub, "*"),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: -1,
      max_ack_pending: 2 * AT_ONCE,
    });
    const consumer = await jetstream(connection).consumers.get(stream, hub);
    const messages = await consumer.consume({
      max_messages: AT_ONCE,
      // Another pull only when this one is nearly used up: each has beats of its own, and those that overlap would for good.
      threshold_messages: 1,
      ...(isCluster ? PULLS.cluster : PULLS.single),
      abort_on_missing_resource: true,
    });
    stop = () => messages.stop();
    void stopWhenSilent(messages);
    if (current === connection && own === turn) onOpen(connection);
    else stop();
    for await (const message of messages) {
      if (current !== connection) break;
      take(message);
    }
  }

  /**
   * Two beats are missed: its servers may have been gone, or too few, without this connection's noticing. It is opened again, by which
   * what waits to go out learns that they are back.
   */
  async function stopWhenSilent(messages: ConsumerMessages) {
    for await (const { type } of messages.status()) if (type === "heartbeats_missed") messages.stop();
  }

  function take(message: JsMsg) {
    const { subject } = message;
    const line =
      lines.get(subject) ?? createMailboxLine({ handle, onEmpty: () => lines.delete(subject), log, after });
    lines.set(subject, line);
    line.add(message);
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = after(ms, resolve);
      stop = () => {
        callOff();
        resolve();
      };
    });
  }

  return {
    read(connection) {
      const isRead = current === connection;
      current = connection;
      turn++;
      stop();
      if (!isRead) reading = reading.then(() => readAll(connection));
    },
    pause() {
      current = undefined;
      stop();
    },
    /** What was taken ends. A server that answers nothing is not waited for: its connection is closed next. */
    async close() {
      this.pause();
      await Promise.all([...lines.values()].map((line) => line.empty()));
    },
  };
}
