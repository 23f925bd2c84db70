import { expect, test } from "vitest";
import { freeDisk } from "../../test/fakes/full-disk.js";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";

/* What happens to an agent while the disk is full is journalled once there is room: nobody else would tell it. */

/** No page more: what is longer than the free part of one cannot be stored. */
function fillDisk({ db }: HostedHub) {
  db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true }))}`);
}

/** What was submitted shares its refusal with this; the next batch, which has nothing to store, is after it. */
async function refused(hub: HostedHub) {
  await hub.settled().catch(() => {});
  await hub.settled();
}

const long = "x".repeat(30_000);

async function busyHub() {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const { messageId } = await hub.send("human", bob, "work");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.ladder(messageId).at(-1) === "seen");
  await hub.until(() => hub.status(bob) === "busy");
  return { hub, bob, messageId };
}

test("a turn that ends on a full disk is over once there is room, and the next one follows", async () => {
  const { hub, bob, messageId } = await busyHub();
  fillDisk(hub);
  hub.runtime.turn().end({ text: long });
  await refused(hub);
  expect(hub.ladder(messageId).at(-1)).toBe("seen");
  expect(hub.state(bob)).toBe("busy");

  freeDisk(hub.db);
  hub.timers.advance(1000);

  await hub.until(() => hub.ladder(messageId).at(-1) === "finished");
  await hub.until(() => hub.state(bob) === "idle");
  await hub.send("human", bob, "more");
  await hub.until(() => hub.runtime.agent().turns.length === 2);
});

test("an agent that dies on a full disk: what it was at has failed once there is room", async () => {
  const { hub, messageId } = await busyHub();
  fillDisk(hub);
  hub.runtime.agent().host.exited({ code: 1, signal: null, stderr: long });
  await refused(hub);
  const before = hub.ladder(messageId).at(-1);

  freeDisk(hub.db);
  hub.timers.advance(1000);

  await hub.until(() => hub.ladder(messageId).at(-1) === "failed");
  expect(before).toBe("seen");
  await hub.until(() => hub.happened("AgentCrashed").length === 1);
});
