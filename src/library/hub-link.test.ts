import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import type { SocketListener } from "../client/frame-socket.js";
import { HubError } from "../model/errors.js";
import { openHubLink } from "./hub-link.js";

/* The hub's end of the wire is scripted: what it says, when it breaks. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const READY = { type: "ready", id: "a", name: "ann", seq: 1, in_flight: 1000, frame_bytes: 500 };
const lost = new HubError("HUB_UNREACHABLE", "The connection was lost");
const ask = { op: "send", fields: { to: "bob" }, again: true, timeoutMs: 10_000 };

function openLink() {
  const wires: { listener: SocketListener; sent: Record<string, unknown>[]; isClosed: boolean }[] = [];
  const states: string[] = [];
  const ends: string[] = [];
  let readies = 0;
  const link = openHubLink({
    open(_, listener) {
      const wire = { listener, sent: [] as Record<string, unknown>[], isClosed: false };
      wires.push(wire);
      return {
        where: "here",
        send: (text) => void wire.sent.push(JSON.parse(text) as Record<string, unknown>),
        close() {
          wire.isClosed = true;
        },
      };
    },
    onMail: () => {},
    onReady: () => readies++,
    onState: ({ kind }) => states.push(kind),
    onClosed: ({ code }) => ends.push(code),
  });
  link.ready.catch(() => {});
  const wire = () => wires.at(-1) ?? { listener: { frame() {}, ended() {} }, sent: [], isClosed: true };
  const say = (frame: unknown) => wire().listener.frame(JSON.stringify(frame));
  const loseIt = async (why = lost) => {
    wire().listener.ended(why);
    await vi.advanceTimersByTimeAsync(200);
  };
  return { link, wires, wire, say, loseIt, states, ends, readies: () => readies };
}

test("what is asked before the hub is ready goes out then, and is answered by its number", async () => {
  const { link, wire, say } = openLink();
  const [first, second] = [link.ask(ask), link.ask(ask)];
  expect(wire().sent).toEqual([]);

  say(READY);
  say({ n: 2, answer: "two" });
  say({ n: 1, answer: "one" });

  expect(wire().sent).toMatchObject([{ n: 1, op: "send", to: "bob" }, { n: 2 }]);
  expect(await Promise.all([first, second])).toEqual(["one", "two"]);
});

test("what was not answered is asked again on the next connection, as it was", async () => {
  const { link, wires, say, loseIt, states, readies } = openLink();
  say(READY);
  const answered = link.ask(ask);
  say({ n: 1, answer: "early" });
  const open = link.ask(ask);

  await loseIt();
  say(READY);
  say({ n: 2, answer: "late" });

  expect(await Promise.all([answered, open])).toEqual(["early", "late"]);
  expect(wires.map(({ sent }) => sent.map(({ n }) => n))).toEqual([[1, 2], [2]]);
  expect({ states, readies: readies() }).toEqual({ states: ["live", "reconnecting", "live"], readies: 2 });
});

test("what must not be done twice is not asked again, unless it never left", async () => {
  const { link, wire, say, loseIt } = openLink();
  say(READY);
  const sent = link.ask({ ...ask, again: false });
  wire().listener.ended(lost);
  const waiting = link.ask({ ...ask, again: false });
  expect(await refusal(sent)).toMatchObject({ code: "HUB_UNREACHABLE", details: { sent: true } });

  await loseIt();
  say(READY);
  say({ n: 2, answer: "done" });

  expect(await waiting).toBe("done");
});

test("a hub that is stopping is asked again once it is back", async () => {
  const { link, say, loseIt } = openLink();
  say(READY);
  const asked = link.ask(ask);
  say({ n: 1, error: "The hub is stopping", code: "SHUTTING_DOWN" });

  await loseIt();
  say(READY);
  say({ n: 1, answer: "stored" });

  expect(await asked).toBe("stored");
});

test("a refusal is the hub's own error", async () => {
  const { link, say } = openLink();
  say(READY);
  const asked = link.ask(ask);
  say({ n: 1, error: "Agent not found", code: "AGENT_NOT_FOUND", available: ["bob"] });

  expect(await refusal(asked)).toMatchObject({ code: "AGENT_NOT_FOUND", details: { available: ["bob"] } });
});

test("a frame that the hub would not take is refused here, and the others go on", async () => {
  const { link, wire, say } = openLink();
  say(READY);

  expect(await refusal(link.ask({ ...ask, fields: { to: "x".repeat(1000) } }))).toMatchObject({
    code: "BODY_TOO_LARGE",
    details: { limit: 500 },
  });
  expect(wire().sent).toEqual([]);
});

test("what takes too long is refused, and a late answer is nobody's", async () => {
  const { link, say } = openLink();
  say(READY);
  const asked = refusal(link.ask({ ...ask, timeoutMs: 1000 }));

  await vi.advanceTimersByTimeAsync(1600);
  say({ n: 1, answer: "late" });

  expect(await asked).toMatchObject({ code: "TIMED_OUT", details: { sent: true } });
});

test("a hub that falls silent is left, and another connection is opened", async () => {
  const { wires, say } = openLink();
  say(READY);

  await vi.advanceTimersByTimeAsync(50_000);

  expect(wires.length).toBeGreaterThan(1);
  expect(wires[0]?.isClosed).toBe(true);
});

test("a hub that is not there at first, or refuses for good, ends it with the reason", async () => {
  const never = openLink();
  never.wire().listener.ended(lost);
  expect(await refusal(never.link.ready)).toBe(lost);

  const removed = openLink();
  removed.say(READY);
  const asked = refusal(removed.link.ask(ask));
  await removed.loseIt();
  removed.wire().listener.ended(new HubError("UNAUTHENTICATED", "The agent has left"));

  expect(await asked).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await refusal(removed.link.ask(ask))).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(removed.ends).toEqual(["UNAUTHENTICATED"]);
});

test.each(["not json", "[]", '{"n":1,"answer"', '{"answer":1}', '{"type":"ready"}'])(
  "%s is no frame of a hub, and ends it",
  async (text) => {
    const { wire, say, ends } = openLink();
    say(READY);
    wire().listener.frame(text);
    expect(ends).toEqual(["INTERNAL"]);
  },
);

test("what a newer hub says besides is passed over", async () => {
  const { link, say } = openLink();
  say(READY);
  say({ type: "news", about: "something" });
  const asked = link.ask(ask);
  say({ n: 1, answer: 1, took_ms: 3 });

  expect(await asked).toBe(1);
});
