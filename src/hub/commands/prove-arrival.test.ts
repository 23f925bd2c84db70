import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";

async function openMail() {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const { messageId, seq } = await hub.send(alice, bob, "hello");
  return { hub, alice, bob, messageId, seq };
}

test("what was handed out and proved is seen, with the evidence, and leaves the inbox", async () => {
  const { hub, bob, messageId, seq } = await openMail();
  await hub.read(bob);

  const ids = await hub.execute("proveArrival", { agent: bob, seqs: [seq], evidence: "next_call" });

  expect(ids).toEqual([messageId]);
  expect(hub.receipt(messageId)).toMatchObject({ state: "seen" });
  expect(hub.receipt(messageId).steps.at(-1)).toMatchObject({ state: "seen", evidence: "next_call" });
  expect(await hub.inbox(bob)).toEqual([]);
});

test("what was never handed out cannot have arrived", async () => {
  const { hub, bob, messageId, seq } = await openMail();

  expect(await hub.execute("proveArrival", { agent: bob, seqs: [seq], evidence: "next_call" })).toEqual([]);
  expect(hub.receipt(messageId).state).toBe("accepted");
});

test("nobody proves the mail of another, nor what does not exist, and twice is harmless", async () => {
  const { hub, alice, bob, messageId, seq } = await openMail();
  await hub.read(bob);

  const prove = (agent: string, ...seqs: number[]) =>
    hub.execute("proveArrival", { agent, seqs, evidence: "ack" as const });

  expect(await prove(alice, seq)).toEqual([]);
  expect(await prove(bob, 999_999, 1)).toEqual([]);
  expect(await prove(bob, seq, seq)).toEqual([messageId]);
  expect(await prove(bob, seq)).toEqual([]);
  expect(hub.receipt(messageId).steps.filter(({ state }) => state === "seen")).toHaveLength(1);
});
