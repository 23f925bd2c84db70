import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventStream, openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
afterAll(() => yard.clear());

const wires = [
  { wire: "WebSocket", open: openWebSocket },
  { wire: "server-sent events", open: openServerSentEvents },
];

describe.each(wires)("over $wire", ({ open }) => {
  let hub: HubProcess;
  let ann: Member;
  let ben: Member;
  let eve: Member;

  beforeAll(async () => {
    hub = await yard.start({ set: ["events.ping_every=200ms", "presence.offline_after=24h"] });
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
    const { json } = await ann.send("ben", "now", { id: "now-1" });

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

    const secret = await ann.send("ben", "the-secret-of-ann-and-ben", { id: "secret-1" });
    await ben.inbox();
    await ben.ack(["secret-1"]);
    await ben.send("ann", "the-answer", { reply_to: "secret-1" });
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
    await ann.send("ben", "private", { id: "private-1" });

    expect((await eve.receipt("private-1")).status).toBe(404);
    expect((await eve.ack(["private-1"])).status).toBe(404);
    expect(await eve.inbox()).toEqual([]);
    await ben.ack(["private-1"]);
  });

  test("a wait hears of a message long before its time is over", async () => {
    const wait = ben.inbox("?wait=30");
    await new Promise((done) => setTimeout(done, 100));

    const began = performance.now();
    await ann.send("ben", "wake up");

    expect((await wait).map(({ content }) => content)).toEqual(["wake up"]);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

describe("across restarts of the hub", () => {
  test.each([
    { wire: "WebSocket, by after", open: openWebSocket, resumeBy: "after" },
    { wire: "server-sent events, by after", open: openServerSentEvents, resumeBy: "after" },
    { wire: "server-sent events, by Last-Event-ID", open: openServerSentEvents, resumeBy: "Last-Event-ID" },
  ])("$wire: a reader resumes without a gap or a repeat, kill -9 or not", async ({ open, resumeBy }) => {
    const home = yard.home();
    const set = ["presence.offline_after=24h"];
    let hub = await yard.start({ home, set });
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    await registerAgent(hub.http, hub.join, { name: "ben" });
    const accepted: number[] = [];
    const seen: number[] = [];
    let place = 0;

    for (let cycle = 0; cycle < 6; cycle++) {
      const stream = await open(hub.url, {
        token: hub.operator,
        ...(resumeBy === "after"
          ? { query: `?after=${place}` }
          : { headers: { "last-event-id": String(place) } }),
      });
      const sending = sendMany(memberAt(hub.http, ann), { cycle, accepted });
      // In the middle of it: the reader has some, the journal more.
      await stream.until(({ seq, type }) => type === "MessageAccepted" && seq > place + 20);
      if (cycle % 2 === 0) await Promise.all([hub.kill(), sending]);
      else await Promise.all([sending, hub.stop()]);
      await stream.ended;
      place = takeEvents(stream, seen) ?? place;
      hub = await yard.start({ home, set });
    }
    const stream = await open(hub.url, { token: hub.operator, query: `?after=${place}` });
    const newest = accepted.at(-1) ?? 0;
    if (newest > place) await stream.until(({ seq, type }) => type === "MessageAccepted" && seq >= newest);
    takeEvents(stream, seen);
    stream.close();

    const distinct = new Set(seen);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(distinct.size).toBe(seen.length);
    expect(accepted.filter((seq) => !distinct.has(seq))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(100);
  });
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

function takeEvents(stream: EventStream, seen: number[]): number | undefined {
  const seqs = stream.events().map(({ seq }) => seq);
  seen.push(...seqs);
  return seqs.at(-1);
}
