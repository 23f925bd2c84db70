import { expect, test } from "vitest";
import { peerAt } from "../../test/fakes/link-yard.js";
import { createScriptedLinkHub, digestOf } from "../../test/fakes/scripted-link-hub.js";
import { createTestTimers } from "../../test/fakes/test-timers.js";
import type { AgentMessage } from "../contract/link/agent-message.js";
import { HubError } from "../model/errors.js";
import type { Ack, Batch } from "../model/link.js";
import type { Link } from "./link.js";
import { createOutbox } from "./outbox.js";
import { createPeerReports } from "./peer-reports.js";

/** The outbox of a scripted hub, on a wire that does what a test says. */
function outboxOn(wire: Partial<Link>, kind: "hub" | "plain", ...names: string[]) {
  const timers = createTestTimers();
  const clock = { wall: timers.now, monotonic: timers.now };
  const hub = createScriptedLinkHub("bmo", "id");
  const lines: string[] = [];
  const log = {
    info: (_: unknown, line: string) => lines.push(line),
    warn: (_: unknown, line: string) => lines.push(line),
  };
  const reports = createPeerReports(clock, log);
  hub.setPeers(names.map((name) => peerAt(name, 1, { kind })));
  const unable = () => Promise.reject(new HubError("PEER_UNREACHABLE", "nobody is there"));
  const link: Link = { send: unable, sendPlain: unable, request: unable, close: async () => {}, ...wire };
  const identify = async (peer: { kind: "hub" | "plain" }) => peer.kind;
  const outbox = createOutbox({ hub, link, identify, reports, clock, after: timers.after, random: () => 1 });
  return { hub, outbox, timers, reports, lines };
}

async function settled() {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

test("fifty peers that cannot be reached cost nothing while nothing waits for them", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `peer-${index}`);
  const { hub, timers } = outboxOn({}, "hub", ...names);
  await settled();
  const atStart = hub.asked();

  timers.advance(24 * 3_600_000);
  await settled();

  expect(atStart).toBe(50);
  expect(hub.asked()).toBe(50);
  expect(timers.pending()).toBe(0);
});

test("a peer that is away for a day is tried once a minute, told of once, and loses nothing", async () => {
  let isThere = false;
  const sent: number[] = [];
  const { hub, timers, reports, lines } = outboxOn(
    {
      async send(_, { epoch, frames }) {
        if (!isThere) throw new HubError("PEER_UNREACHABLE", "it is away");
        sent.push(...frames.map(({ n }) => n));
        return { epoch, upTo: frames.at(-1)?.n ?? 0, digest: null };
      },
    },
    "hub",
    "r2d2",
  );
  hub.acknowledgeFrames = async () => {
    hub.numberFrames = async () => undefined;
  };
  hub.post("r2d2", "one", "two");
  for (let minute = 0; minute < 24 * 60; minute++) {
    timers.advance(60_000);
    await settled();
  }
  expect(lines).toEqual(["a peer cannot be reached; its mail waits"]);
  expect(reports.of("r2d2")).toMatchObject({ reachable: "no", waitingSince: expect.any(Number) as unknown });

  isThere = true;
  timers.advance(60_000);
  await settled();
  expect(sent).toEqual([1, 2]);
  expect(timers.pending()).toBe(0);
  expect(reports.of("r2d2").waitingSince).toBeNull();
});

test("a plain daemon is sent one message after the other, in the words of document 004", async () => {
  const sent: AgentMessage[] = [];
  const { hub } = outboxOn(
    {
      async sendPlain(_, message) {
        sent.push(message);
        return { ok: true, queued: false };
      },
    },
    "plain",
    "r2d2",
  );
  hub.post("r2d2", "one", "two");
  await settled();
  expect(sent).toMatchObject([
    { from: "bmo", type: "text", text: "one", timestamp: "2026-01-05T09:00:00.000Z", messageId: "p-1" },
    { from: "bmo", type: "text", text: "two", messageId: "p-2" },
  ]);
  expect(hub.taken("r2d2")).toEqual(["one", "two"]);
});

test.each([400, 403, 404, 409, 413, 422, 200])(
  "a plain daemon that answers %i has refused for good, and the next message goes",
  async (status) => {
    const { hub } = outboxOn(
      {
        async sendPlain(_, { text }) {
          if (text === "bad") throw new HubError("PEER_REFUSED", "no", { status });
          return { ok: true, queued: false };
        },
      },
      "plain",
      "r2d2",
    );
    hub.post("r2d2", "bad", "good");
    await settled();
    expect(hub.refused).toEqual([{ text: "bad", reason: "no" }]);
    expect(hub.taken("r2d2")).toEqual(["good"]);
  },
);

test.each([401, 408, 429, undefined])(
  "a plain daemon that answers %s is asked again, in order",
  async (status) => {
    let tries = 0;
    const error =
      status === undefined
        ? new HubError("PEER_UNREACHABLE", "it answers 500")
        : new HubError("PEER_REFUSED", "later", { status });
    const { hub, timers } = outboxOn(
      {
        async sendPlain() {
          if (tries++ < 3) throw error;
          return { ok: true, queued: true };
        },
      },
      "plain",
      "r2d2",
    );
    hub.post("r2d2", "one", "two");
    for (let step = 0; step < 10; step++) {
      await settled();
      timers.advance(1000);
    }
    expect(hub.refused).toEqual([]);
    expect(hub.taken("r2d2")).toEqual(["one", "two"]);
  },
);

test("a peer that was removed is tried no more", async () => {
  const { hub, timers } = outboxOn({}, "hub", "r2d2");
  hub.post("r2d2", "one");
  await settled();
  const asked = hub.asked();

  hub.setPeers([]);
  timers.advance(100_000);
  await settled();

  expect(hub.asked()).toBe(asked);
  expect(timers.pending()).toBe(0);
});

test("a hub that fails itself says so, and does not call its peer unreachable", async () => {
  const { hub, reports } = outboxOn({}, "hub", "r2d2");
  hub.numberFrames = () => Promise.reject(new HubError("STORAGE_FULL", "the disk is full"));
  hub.post("r2d2", "one");
  await settled();
  expect(reports.of("r2d2")).toMatchObject({ reachable: "unknown", lastError: { code: "STORAGE_FULL" } });
});

test("closing waits for what is under way, and begins nothing more", async () => {
  let letGo = () => {};
  const { hub, outbox, timers } = outboxOn(
    {
      send: () => new Promise((_, reject) => (letGo = () => reject(new HubError("SHUTTING_DOWN", "closed")))),
      close: async () => letGo(),
    },
    "hub",
    "r2d2",
  );
  hub.post("r2d2", "one");
  await settled();

  await outbox.close();
  hub.post("r2d2", "two");
  await settled();

  expect(hub.asked()).toBe(1);
  expect(timers.pending()).toBe(0);
});

/** A wire that takes several batches at once. It answers when it is told to. */
function openWideWire(most: number) {
  const under: { batch: Batch; end: (ack: Ack | HubError) => void }[] = [];
  const wire: Partial<Link> = {
    ahead: () => most,
    send: (_, batch) =>
      new Promise((resolve, reject) => {
        under.push({ batch, end: (ack) => (ack instanceof HubError ? reject(ack) : resolve(ack)) });
      }),
  };
  const texts = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
  const numbers = () => under.map(({ batch: { low, frames } }) => [low, frames[0]?.n, frames.at(-1)?.n]);
  return { wire, under, texts, numbers };
}

const ackOf = ({ epoch, frames }: Batch): Ack => ({
  epoch,
  upTo: frames.at(-1)?.n ?? 0,
  digest: digestOf(frames.at(-1)),
});

test("several batches are under way where the wire allows it, and one ack is that of all of them", async () => {
  const { wire, under, texts, numbers } = openWideWire(3);
  const { hub } = outboxOn(wire, "hub", "r2d2");
  const acks: Ack[] = [];
  const acknowledge = hub.acknowledgeFrames;
  hub.acknowledgeFrames = (peer, ack) => {
    acks.push(ack);
    return acknowledge(peer, ack);
  };
  hub.post("r2d2", ...texts(200));
  await settled();
  const first = [
    [1, 1, 64],
    [1, 65, 128],
    [1, 129, 192],
  ];
  expect(numbers()).toEqual(first);

  const ack = ackOf(must(under[2]).batch);
  for (const one of under) one.end(ack);
  await settled();
  expect(acks).toEqual([ack]);
  expect(numbers()).toEqual([...first, [193, 193, 200]]);
});

test("a peer that lacks one of several batches is sent all from there on, after a moment", async () => {
  const { wire, under, texts, numbers } = openWideWire(3);
  const { hub, timers } = outboxOn(wire, "hub", "r2d2");
  hub.post("r2d2", ...texts(150));
  await settled();
  const [one, two, three] = [must(under[0]), must(under[1]), must(under[2])];
  const behind = { ...ackOf(one.batch), want: 65 };
  one.end(ackOf(one.batch));
  two.end(behind);
  three.end(behind);
  await settled();
  expect(under).toHaveLength(3);

  timers.advance(200);
  await settled();
  expect(numbers().slice(3)).toEqual([
    [65, 65, 128],
    [65, 129, 150],
  ]);
});

test("where one of several batches fails, what those before it came to counts", async () => {
  const { wire, under, texts, numbers } = openWideWire(2);
  const { hub, timers, reports } = outboxOn(wire, "hub", "r2d2");
  hub.post("r2d2", ...texts(100));
  await settled();
  const [one, two] = [must(under[0]), must(under[1])];
  two.end(new HubError("PEER_UNREACHABLE", "it is away"));
  await settled();
  expect(hub.taken("r2d2")).toEqual([]);
  one.end(ackOf(one.batch));
  await settled();
  expect(hub.taken("r2d2")).toHaveLength(64);
  expect(reports.of("r2d2").reachable).toBe("no");

  timers.advance(60_000);
  await settled();
  expect(numbers().slice(2)).toEqual([[65, 65, 100]]);
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("there is none");
  return value;
}
