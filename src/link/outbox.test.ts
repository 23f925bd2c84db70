import { expect, test } from "vitest";
import { peerAt } from "../../test/fakes/link-yard.js";
import { createScriptedLinkHub } from "../../test/fakes/scripted-link-hub.js";
import { createTestTimers } from "../../test/fakes/test-timers.js";
import type { AgentMessage } from "../contract/link/agent-message.js";
import { HubError } from "../model/errors.js";
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
