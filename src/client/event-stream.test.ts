import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { closedPort, type Serve, say, scriptedHub } from "../../test/fakes/scripted-hub.js";
import { containing } from "../../test/fakes/text-matching.js";
import { type FollowOptions, followEvents } from "./event-stream.js";
import { nodeSocket } from "./node-socket.js";

const frame = (seq: number) => ({
  seq,
  at: "2026-01-01T00:00:00.000Z",
  type: "AgentRenamed",
  sessionId: null,
  data: {},
});
const ready = (seq: number) => ({ type: "ready", seq, first: 1 });

const scriptedStream = (...connections: Serve[]) => scriptedHub(() => ({ status: 404 }), ...connections);

async function take(count: number, options: Omit<FollowOptions, "signal" | "backoff">): Promise<number[]> {
  const leave = new AbortController();
  const seqs: number[] = [];
  const stream = followEvents({ ...options, backoff: { firstMs: 5, maxMs: 20 }, signal: leave.signal });
  for await (const { seq } of stream) if (seqs.push(seq) === count) leave.abort();
  return seqs;
}

test("events come in order, with the token in a header", async () => {
  const hub = await scriptedStream((socket) =>
    say(socket, ready(2), frame(1), { type: "ping", seq: 1 }, frame(2)),
  );
  expect(await take(2, { open: nodeSocket(() => ({ url: hub.url, token: "secret" })), after: 0 })).toEqual([
    1, 2,
  ]);
  expect(hub.streams).toEqual([{ path: "/api/events?after=0", authorization: "Bearer secret" }]);
});

test("after the connection is lost it resumes after the last event, skipping repeats", async () => {
  const hub = await scriptedStream(
    (socket) => {
      say(socket, ready(9), frame(10), frame(11));
      setTimeout(() => socket.terminate(), 20);
    },
    (socket) => say(socket, ready(12), frame(11), frame(12)),
  );
  const states: string[] = [];
  const seqs = await take(3, { open: nodeSocket(() => hub), onState: ({ kind }) => states.push(kind) });
  expect(seqs).toEqual([10, 11, 12]);
  expect(hub.streams.map(({ path }) => path)).toEqual(["/api/events", "/api/events?after=11"]);
  expect(states).toEqual(["live", "reconnecting", "live"]);
});

test("having seen nothing yet, it resumes where it first stood", async () => {
  const hub = await scriptedStream(
    (socket) => {
      say(socket, ready(9));
      setTimeout(() => socket.close(4008, "the hub is stopping"), 20);
    },
    (socket) => say(socket, ready(10), frame(10)),
  );
  expect(await take(1, { open: nodeSocket(() => hub) })).toEqual([10]);
  expect(hub.streams.map(({ path }) => path)).toEqual(["/api/events", "/api/events?after=9"]);
});

test("a connection that falls silent is left for another", async () => {
  const hub = await scriptedStream(
    (socket) => say(socket, ready(1)),
    (socket) => say(socket, ready(2), frame(2)),
  );
  expect(await take(1, { open: nodeSocket(() => hub), silenceMs: 3000 })).toEqual([2]);
  expect(hub.streams).toHaveLength(2);
});

test("pings keep a quiet connection", async () => {
  const hub = await scriptedStream((socket) => {
    say(socket, ready(1));
    const pings = setInterval(() => say(socket, { type: "ping", seq: 1 }), 50);
    setTimeout(() => {
      clearInterval(pings);
      say(socket, frame(2));
    }, 3500);
  });
  // A busy machine may keep this process from running for a second at a time.
  expect(await take(1, { open: nodeSocket(() => hub), silenceMs: 3000 })).toEqual([2]);
  expect(hub.streams).toHaveLength(1);
});

test("a hub that was never there is not waited for", async () => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  await expect(take(1, { open: nodeSocket(() => ({ url })) })).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
    message: containing("`huddle up`"),
  });
});

test("a refusal to open the stream ends it, with the hub's reason", async () => {
  const hub = await scriptedHub(() => ({
    status: 401,
    json: { error: "No such token", code: "UNAUTHENTICATED" },
  }));
  // A plain server answers an upgrade as any request: with its refusal.
  await expect(take(1, { open: nodeSocket(() => hub) })).rejects.toMatchObject({
    code: "UNAUTHENTICATED",
    message: "No such token",
  });
});

test("what is no event frame ends it", async () => {
  const hub = await scriptedStream((socket) => socket.send("hello"));
  await expect(take(1, { open: nodeSocket(() => hub) })).rejects.toMatchObject({ code: "INTERNAL" });
});

test("a reader slower than the hub loses nothing", async () => {
  const all = Array.from({ length: 5_000 }, (_, i) => i + 1);
  const hub = await scriptedStream((socket) => say(socket, ready(5_000), ...all.map(frame)));
  const leave = new AbortController();
  const seqs: number[] = [];
  for await (const { seq } of followEvents({ open: nodeSocket(() => hub), after: 0, signal: leave.signal })) {
    if (seqs.push(seq) === all.length) leave.abort();
    if (seq % 50 === 0) await sleep(1);
  }
  expect(seqs).toEqual(all);
  expect(hub.streams).toHaveLength(1);
});

test("aborting ends it while it waits for events", async () => {
  const hub = await scriptedStream((socket) => say(socket, ready(1)));
  const leave = new AbortController();
  const onState = () => void setTimeout(() => leave.abort(), 20);
  for await (const _ of followEvents({ open: nodeSocket(() => hub), onState, signal: leave.signal }))
    expect.unreachable();
  expect(hub.streams).toHaveLength(1);
});

test("aborting ends it while it waits to reconnect", async () => {
  const hub = await scriptedStream((socket) => {
    say(socket, ready(1));
    setTimeout(() => socket.terminate(), 20);
  });
  const leave = new AbortController();
  const stream = followEvents({
    open: nodeSocket(() => hub),
    onState: ({ kind }) => kind === "reconnecting" && leave.abort(),
    backoff: { firstMs: 60_000, maxMs: 60_000 },
    signal: leave.signal,
  });
  for await (const _ of stream) expect.unreachable();
  expect(hub.streams).toHaveLength(1);
});
