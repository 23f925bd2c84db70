import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";

async function openPair() {
  const hub = openTestHub();
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("an acknowledged message is seen, with the evidence, and leaves the inbox", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1" });
  await hub.read(bob);

  expect(await hub.ack(bob, "m1")).toEqual({ acknowledged: ["m1"], unknown: [] });

  expect(hub.receipt("m1")).toMatchObject({ state: "seen" });
  expect(hub.receipt("m1").steps.at(-1)).toMatchObject({ state: "seen", evidence: "ack" });
  expect(await hub.inbox(bob)).toEqual([]);
});

test("acknowledging twice is harmless and leaves no second trace", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1" });
  await Promise.all([hub.ack(bob, "m1", "m1"), hub.ack(bob, "m1")]);
  const seen = hub.receipt("m1");

  expect(await hub.ack(bob, "m1")).toEqual({ acknowledged: ["m1"], unknown: [] });

  expect(hub.receipt("m1")).toEqual(seen);
  expect(seen.steps).toHaveLength(1);
});

test("unknown ids are named, and the known ones beside them count", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1" });

  expect(await hub.ack(bob, "nothing", "m1")).toEqual({ acknowledged: ["m1"], unknown: ["nothing"] });

  expect(hub.receipt("m1").state).toBe("seen");
});

test("only unknown ids are a refusal", async () => {
  const { hub, bob } = await openPair();

  const error = await refusal(hub.ack(bob, "nothing", "neither"));

  expect(error.code).toBe("MESSAGE_NOT_FOUND");
  expect(error.details).toEqual({ unknown: ["nothing", "neither"] });
});

test("nobody acknowledges other people's mail, nor what it sent itself", async () => {
  const { hub, alice, bob } = await openPair();
  const carol = await hub.register("carol");
  await hub.send(alice, bob, "hello", { id: "m1" });

  expect((await refusal(hub.ack(carol, "m1"))).code).toBe("MESSAGE_NOT_FOUND");
  expect((await refusal(hub.ack(alice, "m1"))).code).toBe("MESSAGE_NOT_FOUND");
  expect(hub.receipt("m1").state).toBe("accepted");
});

test("an expired message stays expired, however late it is acknowledged", async () => {
  const { hub, alice, bob } = await openPair();
  await hub.send(alice, bob, "hello", { id: "m1", expiresInMs: 1000 });
  hub.clock.advance(1001);
  await hub.ring();

  await hub.ack(bob, "m1");

  expect(hub.receipt("m1").state).toBe("expired");
});
