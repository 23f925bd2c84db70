import type { JsMsg } from "@nats-io/jetstream";
import type { LinkLog } from "../link-log.js";
import type { After } from "../timers.js";

/**
 * What became of something in the mailbox. With an answer: it may go; `isLast`: that answer must be given, else the one to what comes
 * next says as much. `later`: this hub could not take it now; it comes again. `never`: nobody here can do anything with it.
 */
export type Handled = { answer: () => void; isLast: boolean } | "later" | "never";

/** What one hub has put into the mailbox, taken one after the other. */
export type MailboxLine = {
  add(message: JsMsg): void;
  /** Once all of it is taken. */
  empty(): Promise<void>;
};

type LineOptions = {
  handle: (subject: string, payload: Uint8Array) => Promise<Handled>;
  onEmpty: () => void;
  log: LinkLog;
  after: After;
};

/** So long an answer may wait for the next one. Its sender counts on one within three seconds. */
const HELD_MS = 500;
const MOST_HELD = 16;

/**
 * Of batches that came together the last one is answered: acks are cumulative. Until then none of them is taken out of the mailbox, so
 * what is not answered because this hub dies comes again.
 */
export function createMailboxLine({ handle, onEmpty, log, after }: LineOptions): MailboxLine {
  const waiting: JsMsg[] = [];
  let held: { messages: JsMsg[]; answer: () => void; callOff: () => void } | undefined;
  let working: Promise<void> | undefined;

  async function work() {
    do {
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift())
        await take(message);
      // What has come meanwhile is read first.
      if (held !== undefined) await new Promise((resolve) => setImmediate(resolve));
    } while (waiting.length > 0);
    answerHeld();
    working = undefined;
    onEmpty();
  }

  async function take(message: JsMsg) {
    try {
      const handled = await handle(message.subject, message.data);
      if (typeof handled === "string" || handled.isLast) answerHeld();
      if (handled === "never") message.term();
      if (typeof handled === "string") return;
      hold(message, handled.answer);
      if (handled.isLast) answerHeld();
    } catch (error) {
      answerHeld();
      log.warn({ error }, "something from the fabric could not be taken; it comes again");
    }
  }

  function hold(message: JsMsg, answer: () => void) {
    if (held !== undefined && held.messages.length >= MOST_HELD) answerHeld();
    held ??= { messages: [], answer, callOff: after(HELD_MS, answerHeld) };
    held.messages.push(message);
    held.answer = answer;
  }

  /** One after the other at once: all of it leaves in one write. */
  function answerHeld() {
    if (held === undefined) return;
    const { messages, answer, callOff } = held;
    held = undefined;
    callOff();
    try {
      answer();
      for (const message of messages) message.ack();
    } catch (error) {
      log.warn({ error }, "something from the fabric could not be answered; it comes again");
    }
  }

  return {
    add(message) {
      waiting.push(message);
      working ??= work();
    },
    empty: async () => working,
  };
}
