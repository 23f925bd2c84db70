import { expect, test } from "vitest";
import { createMailLedger, type MailLedger } from "./fakes/mail-ledger.js";
import { openTestHub, type TestHub } from "./fakes/test-hub.js";

// The checker of promise 3 must itself reject histories that break it.

type Told = { hub: TestHub; ledger: MailLedger; alice: string; bob: string };

/** Three messages from alice to bob; the ledger is told `story`, and must find the lie. */
async function tell(story: (told: Told) => Promise<void>): Promise<() => void> {
  const hub = openTestHub();
  const told = {
    hub,
    ledger: createMailLedger(),
    alice: await hub.register("alice"),
    bob: await hub.register("bob"),
  };
  const { ledger, alice, bob } = told;
  for (const id of ["m1", "m2", "m3"]) {
    const { seq } = await hub.send(alice, bob, id, { id });
    ledger.accepted({ id, from: alice, to: bob, sent: ledger.sending(), seq });
  }
  await story(told);
  return () => ledger.check(hub.views, hub.events.pageAfter(0, 100));
}

const pick = async ({ hub, bob }: Told, ...ids: string[]) => {
  const { messages } = await hub.read(bob);
  return { more: false, messages: messages.filter(({ message }) => ids.includes(message.id)) };
};

test("a true history is accepted", async () => {
  const check = await tell(async ({ hub, ledger, bob }) => {
    ledger.read(bob, await hub.read(bob));
    ledger.read(bob, await hub.read(bob));
    ledger.acknowledged((await hub.ack(bob, "m1", "m3")).acknowledged);
  });

  expect(check).not.toThrow();
});

test("a read out of order is found", async () => {
  const story = tell(async ({ hub, ledger, bob }) => {
    const offered = await hub.read(bob);
    ledger.read(bob, { ...offered, messages: offered.messages.toReversed() });
  });

  await expect(story).rejects.toThrow("in the order of numbers");
});

test("an overtaken message is found", async () => {
  const check = await tell(async (told) => {
    told.ledger.read(told.bob, await pick(told, "m2"));
  });

  expect(check).toThrow("none passed over");
});

test("numbers in another order than that of sending are found", async () => {
  const check = await tell(async ({ hub, ledger, alice, bob }) => {
    const [first, second] = [ledger.sending(), ledger.sending()];
    for (const [id, sent] of [["m5", second] as const, ["m4", first] as const]) {
      ledger.accepted({ id, from: alice, to: bob, sent, seq: (await hub.send(alice, bob, id, { id })).seq });
    }
  });

  expect(check).toThrow("in the order of sending");
});

test("a message that came twice without a mark is found", async () => {
  const story = tell(async ({ hub, ledger, bob }) => {
    const offered = await hub.read(bob);
    ledger.read(bob, offered);
    ledger.read(bob, offered);
  });

  await expect(story).rejects.toThrow("marked as repeated");
});

test("a lost message is found", async () => {
  const check = await tell(async ({ hub }) => {
    hub.db.exec("DELETE FROM delivery WHERE seq = 6");
    hub.views.inbox.forget?.();
  });

  expect(check).toThrow("lost");
});

test("a message that is in an inbox twice is found", async () => {
  const check = await tell(async ({ hub, alice, bob }) => void (await hub.send(alice, bob, "again")));

  expect(check).toThrow("each open message once");
});

test("an acknowledgement that the hub forgot is found", async () => {
  const check = await tell(async ({ ledger }) => ledger.acknowledged(["m1"]));

  expect(check).toThrow("m1 at its end");
});

test("a message that ended without a reason is found", async () => {
  const check = await tell(async ({ hub, bob }) => void (await hub.ack(bob, "m1")));

  expect(check).toThrow("m1 at its end");
});
