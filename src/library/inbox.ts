import { HubError } from "../model/errors.js";
import type { Message } from "./hub-frames.js";
import { wasClosed } from "./hub-link.js";

type InboxPorts = {
  /** Tells the hub how many messages may be in hand. */
  setWindow(window: number): void;
  ack(ids: readonly string[]): Promise<unknown>;
};

export type Inbox = {
  read(options: {
    window: number;
    signal?: AbortSignal | undefined;
  }): AsyncGenerator<InHand, void, undefined>;
  take(mail: readonly Message[]): void;
  /** On a new connection. */
  restart(): void;
  close(why: HubError): void;
};

type Handle = {
  /**
   * Says that it arrived: it leaves the inbox and never comes again. Resolves once that is on disk. Asking for the next message
   * does the same for this one, without waiting for it.
   */
  ack(): Promise<void>;
};
/** A message in hand: the hub keeps it in the inbox until it is acknowledged. */
export type InHand = Message & Handle;
type Acking = { seq: number; id: string; resolve: () => void; reject: (error: unknown) => void };

/** Most ids in one frame. */
const ACKS = 1000;

/*
 * Mail as it was pushed, for whoever reads it. While somebody reads, the hub is told how many messages may be in hand; those in
 * hand come again on a new connection, and are passed over. What is acknowledged in one turn of the event loop goes in one frame.
 */
export function createInbox(ports: InboxPorts): Inbox {
  const waiting: Message[] = [];
  const inHand = new Set<number>();
  const readers = new Set<() => void>();
  let window = 0;
  let acks: Acking[] = [];
  let closed: HubError | undefined;

  function ack(message: Message): Promise<void> {
    return new Promise((resolve, reject) => {
      if (acks.length === 0) process.nextTick(sendAcks);
      acks.push({ seq: message.seq, id: message.id, resolve, reject });
    });
  }

  function sendAcks() {
    const all = acks;
    acks = [];
    for (let i = 0; i < all.length; i += ACKS) void sendOnce(all.slice(i, i + ACKS));
  }

  async function sendOnce(some: readonly Acking[]) {
    try {
      await ports.ack(some.map(({ id }) => id));
      for (const { resolve } of some) resolve();
    } catch (error) {
      // It ended by other means: there is nothing left to acknowledge.
      const isOver = error instanceof HubError && error.code === "MESSAGE_NOT_FOUND";
      for (const { resolve, reject } of some) {
        if (isOver) resolve();
        else reject(error);
      }
    } finally {
      // What could not be acknowledged comes again.
      for (const { seq } of some) inHand.delete(seq);
    }
  }

  function wakeReaders() {
    for (const wake of readers) wake();
  }

  function leave(reader: () => void) {
    if (!readers.delete(reader) || readers.size > 0) return;
    window = 0;
    waiting.length = 0;
    inHand.clear();
    sendAcks(); // First, or the hub would take these for unread.
    if (closed === undefined) ports.setWindow(0);
  }

  async function* read({
    window: wanted,
    signal,
  }: Parameters<Inbox["read"]>[0]): AsyncGenerator<InHand, void, undefined> {
    let wake = () => {};
    const reader = () => wake();
    readers.add(reader);
    if (wanted > window) {
      window = wanted;
      ports.setWindow(window);
    }
    signal?.addEventListener("abort", reader);
    try {
      while (signal?.aborted !== true) {
        const message = waiting.shift();
        if (message !== undefined) yield* handOver(message);
        else if (wasClosed(closed)) return;
        else if (closed !== undefined) throw closed;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      signal?.removeEventListener("abort", reader);
      leave(reader);
    }
  }

  /** Whoever asks for the next one has this one. */
  function* handOver(message: Message): Generator<InHand, void, undefined> {
    let acked: Promise<void> | undefined;
    const acknowledge = () => {
      acked ??= ack(message);
      return acked;
    };
    // Spread last: on Node 20, adding to a spread object takes ten times as long.
    yield { ack: acknowledge, ...message };
    // If it fails, the message comes again: nothing is lost.
    if (acked === undefined) acknowledge().catch(() => {});
  }

  return {
    read,
    take(mail) {
      if (readers.size === 0) return;
      for (const message of mail) {
        if (inHand.has(message.seq)) continue;
        inHand.add(message.seq);
        waiting.push(message);
      }
      wakeReaders();
    },
    restart() {
      if (window > 0) ports.setWindow(window);
    },
    close(why) {
      closed = why;
      wakeReaders();
    },
  };
}
