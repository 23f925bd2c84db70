import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { openLazyViews } from "./lazy-views.js";
import { createThreadReader, threadsView } from "./threads.js";

function open(hub: TestHub) {
  const lazy = openLazyViews({
    file: join(dirname(hub.file), "views.db"),
    views: [threadsView],
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
  onTestFinished(lazy.close);
  const read = createThreadReader(lazy, hub.views.messages);
  const thread = async (root: string, limit = 100) =>
    (await read(root, limit)).map((seq) => hub.views.messages.bySeq(seq)?.data.message.content);
  return { ...lazy, thread };
}

async function openWithThread() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const root = await hub.send(alice, bob, "root");
  await hub.send(alice, bob, "another");
  const first = await hub.send(bob, alice, "first", { replyTo: root.messageId });
  const second = await hub.send(alice, bob, "second", { replyTo: first.messageId });
  return { hub, root, second };
}

test("messages that answer each other are one thread, oldest first", async () => {
  const { hub, root } = await openWithThread();
  const { thread } = open(hub);
  expect(await thread(root.messageId)).toEqual(["root", "first", "second"]);
  expect(await thread(root.messageId, 2)).toEqual(["first", "second"]);
  expect(await thread("nothing")).toEqual([]);
});

test("what is pruned leaves the thread", async () => {
  const { hub, root, second } = await openWithThread();
  const { thread, prune } = open(hub);
  await thread(root.messageId);
  prune(second.seq - 1);
  // The first one is found by its id, for as long as the journal has it.
  await patiently(async () => expect(await thread(root.messageId)).toEqual(["root", "second"]));
});
