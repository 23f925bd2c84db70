import { expect, test } from "vitest";
import { peerNamed } from "../../test/fakes/linked-hubs.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import type { CallbackOutcome } from "./commands/record-callback.js";

const callbackUrl = "http://mini.local:3847/back";

/** However it came to be one: written down, added or paired. */
const addPeer = (hub: TestHub, origin: "config" | "added" | "paired" = "config") =>
  hub.execute("addPeer", { peer: peerNamed("r2d2", { host: "mini.local", kind: "plain", origin }) });

async function openLinkedHub(origin?: "config" | "added" | "paired"): Promise<TestHub> {
  const hub = openTestHub();
  await addPeer(hub, origin);
  return hub;
}

async function ask(hub: TestHub, url = callbackUrl) {
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  const { messageId } = await hub.send(ann, ben, "which port?", { callbackUrl: url });
  return { ann, ben, question: messageId };
}

function told(hub: TestHub) {
  return hub.events
    .pageAfter(0, 1000)
    .flatMap((event) => (event.type === "CallbackDue" || event.type === "CallbackDone" ? [event] : []));
}

const tell = (hub: TestHub, attempt: number, outcome: CallbackOutcome) =>
  hub.execute("recordCallback", { callback: hub.views.callbacks.all()[0]?.callback ?? "", attempt, outcome });

test("an answer to a message with a callback URL is due at once, directly behind the answer", async () => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);

  const { messageId, seq } = await hub.send(ben, ann, "9223", { replyTo: question });

  const [due] = told(hub);
  expect(due).toMatchObject({
    type: "CallbackDue",
    seq: seq + 1,
    data: {
      agent: ben,
      from: ann,
      message: messageId,
      peer: "r2d2",
      url: callbackUrl,
      attempt: 1,
      due: hub.now(),
    },
  });
  expect(hub.views.callbacks.all()).toMatchObject([{ answer: seq, attempt: 1, from: ann }]);
  expect(hub.views.alarms.next()).toMatchObject({ kind: "send_callback", due: hub.now() });
});

test.each(["config", "added", "paired"] as const)("a peer that was %s may be called back", async (origin) => {
  const hub = await openLinkedHub(origin);
  const { ann, ben, question } = await ask(hub);
  await hub.send(ben, ann, "9223", { replyTo: question });
  expect(told(hub)).toMatchObject([{ data: { peer: "r2d2", url: callbackUrl } }]);
});

test("one that was removed is called back no more", async () => {
  const hub = await openLinkedHub("paired");
  const { ann, ben, question } = await ask(hub);
  await hub.execute("removePeer", { name: "r2d2" });
  await hub.send(ben, ann, "9223", { replyTo: question });
  expect(told(hub)).toEqual([]);
});

test("what is no answer to it is not called back", async () => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);
  const cat = await hub.register("cat");

  await hub.send(ben, ann, "by the way");
  await hub.send(ben, cat, "ann wants to know", { replyTo: question });
  await hub.send(ann, ben, "well?", { replyTo: question });

  expect(told(hub)).toEqual([]);
});

test("an answer that is sent twice by one id is called back once", async () => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);

  await hub.send(ben, ann, "9223", { replyTo: question, id: "m-1" });
  await hub.send(ben, ann, "9223", { replyTo: question, id: "m-1" });

  expect(told(hub)).toHaveLength(1);
});

test("a URL that is no peer's is refused when the message is sent, with those that are", async () => {
  const hub = await openLinkedHub();
  const before = hub.events.lastSeq();

  await expect(ask(hub, "http://169.254.169.254/latest")).rejects.toMatchObject({
    code: "CALLBACK_NOT_ALLOWED",
    message: expect.stringContaining("must begin with http://mini.local:3847/") as string,
    details: { allowed: ["http://mini.local:3847/"] },
  });
  const accepted = hub.events.pageAfter(before, 100).filter(({ type }) => type === "MessageAccepted");
  expect(accepted).toEqual([]);
});

test("without peers it is carried to the reader, whatever it is, and never called", async () => {
  const hub = openTestHub();
  const { ann, ben, question } = await ask(hub, "http://169.254.169.254/latest");

  await hub.send(ben, ann, "9223", { replyTo: question });

  expect(hub.views.messages.byId(question)[0]?.data.message.callbackUrl).toBe(
    "http://169.254.169.254/latest",
  );
  expect(told(hub)).toEqual([]);
});

test("a message from before there were peers is not called back, unless its URL is one's", async () => {
  const before = openTestHub();
  const { ann, ben, question } = await ask(before, "http://evil.example/");
  await before.close();
  const hub = openTestHub({ file: before.file, clock: before.clock });
  await addPeer(hub);

  await hub.send(ben, ann, "9223", { replyTo: question });

  expect(told(hub)).toEqual([]);
});

test("a failed call is tried six times within an hour, then given up", async () => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);
  await hub.send(ben, ann, "9223", { replyTo: question });
  const began = hub.now();
  const tries: number[] = [];

  for (let attempt = 1; hub.views.callbacks.all().length > 0; attempt++) {
    const due = hub.views.alarms.next()?.due ?? 0;
    tries.push(due - began);
    hub.clock.advance(due - hub.now());
    await hub.ring();
    await tell(hub, attempt, { kind: "failed", reason: "it answered 503" });
  }

  expect(tries.map((ms) => ms / 1000)).toEqual([0, 5, 35, 155, 755, 3455]);
  expect(told(hub).at(-1)?.data).toMatchObject({
    outcome: "given_up",
    attempt: 6,
    reason: "it answered 503",
    agent: ben,
    from: ann,
  });
  expect(hub.views.alarms.next()).toBeUndefined();
});

test.each([
  [{ kind: "delivered" }, { outcome: "delivered" }],
  [
    { kind: "refused", reason: "no peer" },
    { outcome: "given_up", reason: "no peer" },
  ],
] as const)("%j ends it at once", async (outcome, end) => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);
  await hub.send(ben, ann, "9223", { replyTo: question });

  await tell(hub, 1, outcome);

  expect(told(hub).at(-1)).toMatchObject({ type: "CallbackDone", data: end });
  expect(hub.views.callbacks.all()).toEqual([]);
});

test("what is told twice, or of a try that is over, changes nothing", async () => {
  const hub = await openLinkedHub();
  const { ann, ben, question } = await ask(hub);
  await hub.send(ben, ann, "9223", { replyTo: question });
  await tell(hub, 1, { kind: "failed", reason: "x" });
  const { length } = told(hub);

  await tell(hub, 1, { kind: "delivered" });
  await tell(hub, 3, { kind: "delivered" });
  await hub.execute("recordCallback", { callback: "none", attempt: 1, outcome: { kind: "delivered" } });

  expect(told(hub)).toHaveLength(length);
});

test("what is due is known after a restart, and its answer is kept from pruning", async () => {
  const first = await openLinkedHub();
  const { ann, ben, question } = await ask(first);
  const { seq } = await first.send(ben, ann, "9223", { replyTo: question });

  const hub = await first.restart();

  expect(hub.views.callbacks.all()).toMatchObject([{ answer: seq, url: callbackUrl }]);
  expect(hub.views.alarms.next()).toMatchObject({ kind: "send_callback" });
  expect(hub.views.callbacks.oldestNeeded?.()).toBe(seq);
});
