import { afterAll, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";
import { askSide, createSides, pairSides } from "../fakes/hub-sides.js";
import { type Member, registerAgent } from "../fakes/member.js";

/* The limits of peers, as the configuration sets them: what is too much waits or comes back, and nothing is kept from coming behind it. */

const yard = createHubYard();
const sides = createSides(yard);
afterAll(() => yard.clear());

async function pairWith(set: readonly string[]) {
  const [bmo, r2d2] = await Promise.all([sides.startSide("bmo"), sides.startSide("r2d2", set)]);
  await pairSides(bmo, r2d2);
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
  const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
  const cat = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "cat" });
  return { bmo, r2d2, ann, bob, cat };
}

async function stateOf(sender: Member, id: string): Promise<string> {
  const { json } = await sender.receipt(id);
  return String((json["deliveries"] as { state: string }[])[0]?.state);
}

const contents = (member: Member) => async () => (await member.inbox()).map(({ content }) => content);

test("what finds no room in an inbox, or is too large, comes back with the reason, and what follows comes", async () => {
  const { ann, bob, cat } = await pairWith(["agent-comms.inbox_share=3", "agent-comms.body_limit=4KiB"]);

  for (let n = 1; n <= 4; n++) await ann.send("bob@r2d2", `m${n}`, { id: `m${n}` });
  await ann.send("cat@r2d2", "x".repeat(10_000), { id: "large" });
  await ann.send("cat@r2d2", "the last", { id: "last" });

  await expect.poll(contents(cat), { timeout: 60_000 }).toEqual(["the last"]);
  expect(await contents(bob)()).toEqual(["m1", "m2", "m3"]);
  await expect.poll(() => stateOf(ann, "m4"), { timeout: 60_000 }).toBe("failed");
  expect(await stateOf(ann, "large")).toBe("failed");
  const bounces = (await contents(ann)()).join("\n");
  expect(bounces).toMatch(/3 unread messages of bmo, and takes no more of it/);
  expect(bounces).toMatch(/larger than 4096 bytes/);
});

test("a hub that sends faster than it may is slowed down, sees why, and keeps what waits", async () => {
  const { bmo, ann, bob } = await pairWith(["agent-comms.rate=3"]);

  for (let n = 1; n <= 5; n++) await ann.send("bob@r2d2", `m${n}`, { id: `m${n}` });

  await expect.poll(contents(bob), { timeout: 60_000 }).toEqual(["m1", "m2", "m3"]);
  const peers = async () => (await askSide(bmo, "GET", "/api/peers")).json["peers"] as object[];
  await expect.poll(peers, { timeout: 60_000 }).toMatchObject([
    {
      name: "r2d2",
      reachable: "yes",
      secret: "matched",
      waiting: 2,
      last_error: { message: expect.stringMatching(/429.*may send 3 messages a minute/) as unknown },
    },
  ]);
  expect(await contents(bob)()).toEqual(["m1", "m2", "m3"]);
});
