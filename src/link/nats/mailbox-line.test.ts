import type { JsMsg } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { createTestTimers } from "../../../test/fakes/test-timers.js";
import { createMailboxLine, type Handled } from "./mailbox-line.js";

/** What is said of each message when it is handled; default: an answer that the next one may give as well. */
function openLine(said: Record<string, Handled | Promise<Handled>> = {}) {
  const done: string[] = [];
  const timers = createTestTimers();
  const line = createMailboxLine({
    async handle(_, payload) {
      const name = Buffer.from(payload).toString("utf8");
      return said[name] ?? { answer: () => done.push(`answer ${name}`), isLast: false };
    },
    onEmpty: () => done.push("empty"),
    log: { info() {}, warn: (_, line) => done.push(line) },
    after: timers.after,
  });
  const refuse = (name: string): Handled => ({ answer: () => done.push(`refuse ${name}`), isLast: true });
  return { line, done, timers, refuse, add };

  function add(...names: string[]) {
    for (const name of names) put(name);
  }

  function put(name: string) {
    const ack = () => done.push(`ack ${name}`);
    const term = () => done.push(`term ${name}`);
    // All that a line uses of a message.
    line.add({ subject: "s", data: Buffer.from(name), ack, term } as unknown as JsMsg);
  }
}

test("of batches that come together the last is answered, and then all of them leave the mailbox", async () => {
  const { line, done, timers, add } = openLine();
  add("1", "2", "3");
  await line.empty();
  expect(done).toEqual(["answer 3", "ack 1", "ack 2", "ack 3", "empty"]);
  expect(timers.pending()).toBe(0);
});

test("a refusal is an answer of its own, and those before and behind it have theirs", async () => {
  const said: Record<string, Handled> = {};
  const { line, done, refuse, add } = openLine(said);
  said["2"] = refuse("2");
  add("1", "2", "3");
  await line.empty();
  expect(done).toEqual(["answer 1", "ack 1", "refuse 2", "ack 2", "answer 3", "ack 3", "empty"]);
});

test("what cannot be taken stays, what nobody can read goes, and what was taken before is answered", async () => {
  const { line, done, add } = openLine({ "2": "later", "4": "never" });
  add("1", "2", "3", "4");
  await line.empty();
  expect(done).toEqual(["answer 1", "ack 1", "answer 3", "ack 3", "term 4", "empty"]);
});

test("an answer does not wait long for a batch that takes long", async () => {
  let go: (handled: Handled) => void = () => {};
  const slow = new Promise<Handled>((resolve) => {
    go = resolve;
  });
  const { line, done, timers, add } = openLine({ "2": slow });
  add("1", "2");
  await expect.poll(() => timers.pending()).toBe(1);
  timers.advance(1000);
  expect(done).toEqual(["answer 1", "ack 1"]);
  go("later");
  await line.empty();
  expect(done).toEqual(["answer 1", "ack 1", "empty"]);
});

test("a batch that breaks the hub stays, and what was taken before it is answered", async () => {
  const { line, done, add } = openLine({ "2": Promise.reject(new Error("broken")) });
  add("1", "2");
  await line.empty();
  expect(done.slice(0, 2)).toEqual(["answer 1", "ack 1"]);
  expect(done).not.toContain("ack 2");
});
