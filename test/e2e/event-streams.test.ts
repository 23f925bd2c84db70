import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type EventStream,
  type OpenStream,
  openServerSentEvents,
  openWebSocket,
} from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
afterAll(() => yard.clear());

const wires = [
  { wire: "WebSocket", open: openWebSocket },
  { wire: "server-sent events", open: openServerSentEvents },
];

let hub: HubProcess;
beforeAll(async () => {
  hub = await yard.start({
    set: ["events.ping_every=200ms", "presence.offline_after=24h", "inbox.wait_max=10m"],
  });
});

describe.each(wires)("over $wire", ({ open }) => {
  let ann: Member;
  let ben: Member;
  let eve: Member;

  beforeAll(async () => {
    ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    ben = await registerAgent(hub.http, hub.join, { name: "ben" });
    eve = await registerAgent(hub.http, hub.join, { name: "eve" });
  });

  test("a stream says first where the journal stands, and pings when nothing happens", async () => {
    const stream = await open(hub.url, { token: hub.operator });

    const ready = await stream.until(({ type }) => type === "ready");
    const ping = await stream.until(({ type }) => type === "ping");

    expect(stream.frames[0]).toBe(ready);
    expect(ready.first).toBe(1);
    expect(ready.seq).toBeGreaterThan(0);
    expect(ping.seq).toBe(ready.seq);
    stream.close();
  });

  test("a stream without a place starts at the newest event, one from 0 at the first", async () => {
    const fresh = await open(hub.url, { token: hub.operator });
    const whole = await open(hub.url, { token: hub.operator, query: "?after=0" });
    await fresh.until(({ type }) => type === "ready");
    const { json } = await ann.send(ben.name, "now", { id: "now-1" });

    await Promise.all([fresh, whole].map((stream) => stream.until(({ seq }) => seq === json["seq"])));

    expect(fresh.events().map(({ seq }) => seq)).toEqual([json["seq"]]);
    expect(whole.events()[0]).toMatchObject({ seq: 1, type: "AgentRegistered" });
    fresh.close();
    whole.close();
    await ben.ack(["now-1"]);
  });

  test("an agent sees the roster and its own mail, and nothing of the mail of others", async () => {
    const streams = {
      ann: await open(hub.url, { token: ann.token, query: "?after=0" }),
      eve: await open(hub.url, { token: eve.token, query: "?after=0" }),
      person: await open(hub.url, { token: hub.operator, query: "?after=0" }),
    };

    const secret = await ann.send(ben.name, "the-secret-of-ann-and-ben", { id: "secret-1" });
    await ben.inbox();
    await ben.ack(["secret-1"]);
    await ben.send(ann.name, "the-answer", { reply_to: "secret-1" });
    const last = await registerAgent(hub.http, hub.join, { name: "last" });
    const isLast = ({ data }: { data?: Record<string, unknown> }) => data?.["name"] === last.name;
    await Promise.all(Object.values(streams).map((stream) => stream.until(isLast)));

    const seenByEve = JSON.stringify(streams.eve.frames);
    expect(seenByEve).not.toContain("secret");
    expect(seenByEve).not.toContain("the-answer");
    expect(new Set(streams.eve.events().map(({ type }) => type))).toEqual(new Set(["AgentRegistered"]));
    for (const stream of [streams.ann, streams.person]) {
      expect(stream.events().map(({ type }) => type)).toEqual(
        expect.arrayContaining(["MessageAccepted", "MessagesOffered", "MessagesSeen", "MessageAnswered"]),
      );
      expect(stream.events().find(({ seq }) => seq === secret.json["seq"])).toBeDefined();
    }
    for (const stream of Object.values(streams)) {
      expect(JSON.stringify(stream.frames)).not.toMatch(/CredentialIssued|hud_agent_|"hash"/);
      stream.close();
    }
  });

  test("the receipt of a message of others is not to be had, nor its place in the inbox", async () => {
    await ann.send(ben.name, "private", { id: "private-1" });

    expect((await eve.receipt("private-1")).status).toBe(404);
    expect((await eve.ack(["private-1"])).status).toBe(404);
    expect(await eve.inbox()).toEqual([]);
    await ben.ack(["private-1"]);
  });

  test("a wait hears of a message long before its time is over", async () => {
    const seconds = 500;
    const began = performance.now();
    const wait = ben.inbox(`?wait=${seconds}`);
    await patiently(async () => {
      const { json } = await hub.http.call("GET", `/api/agents/${ben.name}`, { token: hub.operator });
      expect(json["state"]).toBe("listening");
    });

    await ann.send(ben.name, "wake up");

    expect((await wait).map(({ content }) => content)).toEqual(["wake up"]);
    expect(performance.now() - began).toBeLessThan(seconds * 1000);
  });
});

test("across restarts of the hub readers of every kind resume without a gap or a repeat, kill -9 or not", async () => {
  const home = yard.home();
  const set = ["presence.offline_after=24h"];
  let hub = await yard.start({ home, set });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
  const accepted: number[] = [];
  const byPlace = (place: number) => ({ query: `?after=${place}` });
  const readers: Reader[] = [
    { open: openWebSocket, from: byPlace, place: 0, seen: [] },
    { open: openServerSentEvents, from: byPlace, place: 0, seen: [] },
    {
      open: openServerSentEvents,
      from: (place) => ({ headers: { "last-event-id": String(place) } }),
      place: 0,
      seen: [],
    },
  ];
  const openAll = () =>
    Promise.all(
      readers.map((reader) => reader.open(hub.url, { token: hub.operator, ...reader.from(reader.place) })),
    );

  for (let cycle = 0; cycle < 4; cycle++) {
    const streams = await openAll();
    const sending = sendMany(memberAt(hub.http, ann), { cycle, accepted });
    // In the middle of it: the readers have some, the journal more.
    await Promise.all(streams.map((stream) => stream.until(({ data }) => idIn(data) === `c${cycle}-30`)));
    if (cycle % 2 === 0) await Promise.all([hub.kill(), sending]);
    else await Promise.all([sending, hub.stop()]);
    await Promise.all(streams.map(({ ended }) => ended));
    for (const [i, reader] of readers.entries()) takeEvents(streams[i], reader);
    hub = await yard.start({ home, set });
  }
  const newest = accepted.at(-1) ?? 0;
  const streams = await openAll();
  for (const [i, reader] of readers.entries()) {
    if (newest > reader.place)
      await streams[i]?.until(({ seq, type }) => type === "MessageAccepted" && seq >= newest);
    takeEvents(streams[i], reader);
    streams[i]?.close();
  }

  expect(accepted.length).toBeGreaterThanOrEqual(4 * 30);
  for (const { seen } of readers) {
    const distinct = new Set(seen);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(distinct.size).toBe(seen.length);
    expect(accepted.filter((seq) => !distinct.has(seq))).toEqual([]);
  }
});

/** Sends until the hub goes away, noting what it accepted. */
async function sendMany(
  ann: Member,
  { cycle, accepted }: { cycle: number; accepted: number[] },
): Promise<void> {
  try {
    for (let n = 0; n < 100; n++) {
      const answer = await ann.send("ben", `cycle ${cycle} message ${n}`, { id: `c${cycle}-${n}` });
      if (answer.status !== 202) return;
      accepted.push(Number(answer.json["seq"]));
    }
  } catch {
    // Killed: what was not answered may be in the journal all the same, and then in the stream.
  }
}

type Reader = {
  open: OpenStream;
  /** How it says where it was. */
  from(place: number): { query?: string; headers?: Record<string, string> };
  place: number;
  seen: number[];
};

function takeEvents(stream: EventStream | undefined, reader: Reader): void {
  const seqs = stream?.events().map(({ seq }) => seq) ?? [];
  reader.seen.push(...seqs);
  reader.place = seqs.at(-1) ?? reader.place;
}

const idIn = (data: Record<string, unknown> | undefined) =>
  (data?.["message"] as { id?: string } | undefined)?.id;
