import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../model/agent.js";

async function openPair() {
  const hub = openTestHub();
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("a reply proves that the message was seen, and answers it", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "ready?", { id: "question" });
  await hub.read(bob);

  await hub.send(bob, alice, "yes", { id: "answer", replyTo: "question" });

  const delivery = hub.receipt("question");
  expect(delivery).toMatchObject({ state: "seen", answeredBy: "answer" });
  expect(delivery.steps).toMatchObject([
    { state: "offered", route: "inbox", attempt: 1 },
    { state: "seen", evidence: "reply" },
    { state: "answered", by: "answer" },
  ]);
  expect(await hub.inbox(bob)).toEqual([]);
});

test("a message is answered once: a second reply changes nothing about it", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "ready?", { id: "question" });
  await hub.send(bob, alice, "yes", { id: "first", replyTo: "question" });
  const answered = hub.receipt("question");

  await hub.send(bob, alice, "and more", { id: "second", replyTo: "question" });

  expect(hub.receipt("question")).toEqual(answered);
});

test("going on in a thread of one's own proves nothing about the other", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "ready?", { id: "question" });

  await hub.send(alice, bob, "well?", { replyTo: "question" });

  expect(hub.receipt("question")).toMatchObject({ state: "accepted", answeredBy: null, steps: [] });
});

test("a reply to a message that does not exist is refused and not sent", async () => {
  const { hub, alice, bob } = await openPair();

  const error = await refusal(hub.send(alice, bob, "yes", { replyTo: "nothing" }));

  expect(error.code).toBe("REPLY_TARGET_NOT_FOUND");
  expect(error.details).toEqual({ reply_to: "nothing" });
  expect(await hub.inbox(bob)).toEqual([]);
});

test("a reply to other people's mail is refused, as if it did not exist", async () => {
  const { hub, alice, bob } = await openPair();
  const carol = await hub.register("carol");
  await hub.send(alice, bob, "secret", { id: "secret" });

  const error = await refusal(hub.send(carol, alice, "I know", { replyTo: "secret" }));

  expect(error.code).toBe("REPLY_TARGET_NOT_FOUND");
  expect(hub.receipt("secret").state).toBe("accepted");
});

test("the person goes on in others' thread with one of them, and that proves nothing about anybody", async () => {
  const { hub, alice, bob } = await openPair();
  const carol = await hub.register("carol");
  await hub.send(alice, bob, "ready?", { id: "question" });

  await hub.send(HUMAN_ID, alice, "take your time", { id: "aside", replyTo: "question" });

  expect(hub.receipt("question")).toMatchObject({ state: "accepted", answeredBy: null, steps: [] });
  const [aside] = hub.views.messages.byId("aside");
  expect(aside?.data.message).toMatchObject({ replyTo: "question", thread: "question" });
  const error = await refusal(hub.send(HUMAN_ID, carol, "look", { replyTo: "question" }));
  expect(error.code).toBe("REPLY_TARGET_NOT_FOUND");
});

test("a refused reply proves nothing", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "ready?", { id: "question" });

  await refusal(hub.sendTo(bob, "nobody", "yes", { replyTo: "question" }));

  expect(hub.receipt("question")).toMatchObject({ state: "accepted", answeredBy: null });
});
