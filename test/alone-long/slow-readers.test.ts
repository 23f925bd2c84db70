import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type OpenStream, openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";

const yard = createHubYard();
afterAll(() => yard.clear());

const STALL_MS = 2000;
const MESSAGE = "x".repeat(200_000);
const set = [
  `events.stall=${STALL_MS}ms`,
  "events.buffer=256KiB",
  "inbox.cap=100000",
  "presence.offline_after=24h",
];

describe.each<{ wire: string; open: OpenStream }>([
  { wire: "WebSocket", open: openWebSocket },
  { wire: "server-sent events", open: openServerSentEvents },
])("over $wire", ({ open }) => {
  test("readers that stop reading are dropped, told why and from where to go on, and cost no memory", async () => {
    const { hub, send } = await hubWithMail({ messages: 5, linger: "5m" });
    const quick = await open(hub.url, { token: hub.operator });
    const slow = await Promise.all(Array.from({ length: 10 }, () => open(hub.url, { token: hub.operator })));
    for (const stream of slow) stream.pause();
    const before = await memoryOf(hub);

    let most = 0;
    let newest = 0;
    const began = performance.now();
    for (let n = 0; n < 250 || performance.now() - began < 2 * STALL_MS; n++) {
      newest = await send();
      if (n % 20 === 0) most = Math.max(most, await memoryOf(hub));
    }
    await quick.until(({ seq }) => seq === newest, 120_000);

    // 50 MB went past each of the ten. A hub that kept all of it grew by 550 MB over server-sent events; this one by the
    // 130 MB that it grows by with no slow reader at all. WebSocket readers share a frame: there the drop is the proof.
    expect((most - before) / 1e6).toBeLessThan(400);
    for (const stream of slow) stream.resume();
    for (const stream of slow) {
      const dropped = await stream.until(({ type }) => type === "dropped", 120_000);
      await stream.ended;
      expect(dropped.reason).toMatch(/slow reader/);
      expect(dropped.seq).toBeLessThan(newest);
      expect(stream.events().at(-1)?.seq).toBe(dropped.seq);
    }
    expect(quick.frames.some(({ type }) => type === "dropped")).toBe(false);
    quick.close();
    await hub.stop();
  });

  test("readers that never read again are gone soon", async () => {
    const { hub, send } = await hubWithMail({ messages: 1 });
    const stuck = await Promise.all(Array.from({ length: 5 }, () => open(hub.url, { token: hub.operator })));
    for (const stream of stuck) stream.pause();

    for (let n = 0; n < 60; n++) await send();

    await expect.poll(() => readersOf(hub), { timeout: 120_000, interval: 200 }).toBe(0);
    for (const stream of stuck) stream.close();
    await hub.stop();
  });
});

test("readers far behind are fed no more than they take, however large the messages are", async () => {
  const { hub } = await hubWithMail({ messages: 150 });
  const before = await memoryOf(hub);

  const behind = await Promise.all(
    [openWebSocket, openServerSentEvents].flatMap((open) =>
      Array.from({ length: 20 }, async () => {
        const stream = await open(hub.url, { token: hub.operator, query: "?after=0" });
        stream.pause();
        return stream;
      }),
    ),
  );
  await sleep(800);

  // 40 readers × 30 MB, more than a gigabyte, are there to be read; what the hub may hold for each is a buffer and a page.
  expect(((await memoryOf(hub)) - before) / 1e6).toBeLessThan(400);
  for (const stream of behind) stream.close();
  await hub.stop();
});

async function hubWithMail({ messages, linger = "1s" }: { messages: number; linger?: string }) {
  const hub = await yard.start({ set: [...set, `events.linger=${linger}`] });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
  const send = async () => Number((await ann.send("ben", MESSAGE)).json["seq"]);
  for (let n = 0; n < messages; n++) await send();
  return { hub, send };
}

async function memoryOf(hub: HubProcess): Promise<number> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return Number(json["memory_bytes"]);
}

async function readersOf(hub: HubProcess): Promise<unknown> {
  const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
  return json["readers"];
}
