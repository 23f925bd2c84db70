import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { carryAll, openLinkedHubs } from "../../../test/fakes/linked-hubs.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { addressThen } from "../../hub/rules/address-of.js";
import { HUMAN_ID } from "../../model/agent.js";
import { type CommsLogPorts, startCommsLog } from "./comms-log.js";

const MIB = 1024 * 1024;

function startLog(
  hub: TestHub,
  file = join(tempFolder(), "logs", "agent-comms.log"),
  more: Partial<CommsLogPorts> = {},
) {
  const problems: unknown[] = [];
  const log = startCommsLog({
    address: (agent, name) => addressThen(hub.views, agent, name, HUMAN_ID),
    isElsewhere: (agent) => hub.views.peers.agent(agent) !== undefined,
    file,
    maxBytes: 10 * MIB,
    files: 5,
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  onTestFinished(log.close);
  return { ...log, file, problems, lines: () => linesIn(file) };
}

function linesIn(file: string): Record<string, unknown>[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function openPair() {
  const hub = openTestHub();
  return { hub, alice: await hub.register("alice"), bob: await hub.register("bob") };
}

test("what goes to another hub is sent, what comes from one is received", async () => {
  const { bmo, r2d2 } = await openLinkedHubs();
  const ann = await bmo.hub.register("ann");
  await r2d2.hub.register("bob");
  const [here, there] = [startLog(bmo.hub), startLog(r2d2.hub)];
  await bmo.hub.sendTo(ann, "bob@r2d2", "hello");
  await carryAll(bmo, r2d2);
  await bmo.hub.sendTo(ann, "nobody@r2d2", "lost");
  await carryAll(bmo, r2d2);
  await Promise.all([here.caughtUp(), there.caughtUp()]);

  const shown = { from: "ann", type: "message" };
  expect(here.lines()).toMatchObject([
    { ...shown, direction: "sent", to: "bob@r2d2", content: "hello", state: "accepted" },
    { ...shown, direction: "sent", to: "nobody@r2d2", content: "lost" },
    { ...shown, direction: "sent", to: "nobody@r2d2", content: "", state: "failed" },
    { direction: "local", from: "hub", to: "ann" },
  ]);
  expect(there.lines()).toMatchObject([
    { direction: "received", from: "ann@bmo", to: "bob", content: "hello", state: "accepted" },
  ]);
});

test("a message is logged when it is accepted, and each end of it later", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  const ts = new Date(hub.clock.wall()).toISOString();
  const { messageId } = await hub.send(alice, bob, "Is --auth ready?");
  await hub.read(bob);
  await hub.ack(bob, messageId);
  const reply = await hub.send(bob, alice, "Yes", { replyTo: messageId });
  await hub.deregister(alice);
  await log.caughtUp();

  const about = (from: string, to: string) => ({
    ts,
    direction: "local",
    from,
    to,
    type: "message",
  });
  const lines = log.lines().filter(({ from }) => from !== "hub");
  expect(lines).toEqual([
    { ...about("alice", "bob"), content: "Is --auth ready?", messageId, state: "accepted" },
    { ...about("alice", "bob"), content: "", messageId, state: "seen" },
    { ...about("bob", "alice"), content: "Yes", messageId: reply.messageId, state: "accepted" },
    { ...about("alice", "bob"), content: "", messageId, state: "answered" },
    { ...about("bob", "alice"), content: "", messageId: reply.messageId, state: "failed" },
  ]);
  expect(Object.keys(lines[0] ?? {})).toEqual([
    "ts",
    "direction",
    "from",
    "to",
    "type",
    "content",
    "messageId",
    "state",
  ]);
  expect(statSync(log.file).mode & 0o777).toBe(0o600);
});

test("a broadcast is one line to all, and one for each that saw it", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  const carol = await hub.register("carol");
  const { messageId } = await hub.execute("broadcast", { from: alice, content: "stand-up" });
  await hub.ack(bob, messageId);
  await hub.ack(carol, messageId);
  await log.caughtUp();

  expect(log.lines().map(({ to, state }) => `${String(to)} ${String(state)}`)).toEqual([
    "all accepted",
    "bob seen",
    "carol seen",
  ]);
});

test("work that is claimed, renewed and released is logged as coordination, with whose it was", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  const ts = new Date(hub.clock.wall()).toISOString();
  await hub.work(alice, "claim", "chunking");
  await hub.work(bob, "claim", "chunking"); // Alice has it: nothing happens.
  await hub.work(alice, "release", "chunking");
  await hub.work(bob, "claim", "tests");
  await hub.rename(bob, "robert");
  await hub.work(HUMAN_ID, "release", "tests");
  await hub.work(bob, "claim", "docs", 1000);
  hub.clock.advance(1000);
  await hub.ring();
  await hub.work(alice, "claim", "release");
  await hub.deregister(alice);
  await log.caughtUp();

  const [claimed, ...others] = log.lines().filter(({ type }) => type === "coordination");
  expect(claimed).toEqual({
    ts,
    direction: "local",
    from: "alice",
    to: "all",
    type: "coordination",
    content: 'claimed "chunking"',
    messageId: "",
    state: "accepted",
    action: "claim",
    task: "chunking",
  });
  expect(others.map(({ from, action, content }) => [from, action, content])).toEqual([
    ["alice", "release", 'released "chunking"'],
    ["bob", "claim", 'claimed "tests"'],
    ["user", "release", 'released "tests"'],
    ["robert", "claim", 'claimed "docs"'],
    ["robert", "release", 'released "docs" (its lease ended)'],
    ["alice", "claim", 'claimed "release"'],
    ["alice", "release", 'released "release" (alice is gone)'],
  ]);
});

test("control, C1 and bidirectional characters are escaped, and read back as they were", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  const content = "a\u001b[31mb\u009bc\u202ed\u2028e\u007ff\u{e0041}g\nü€😀";
  await hub.send(alice, bob, content);
  await log.caughtUp();

  const raw = readFileSync(log.file, "utf8");
  expect(raw.replaceAll("\n", "")).not.toMatch(
    /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u,
  );
  expect(raw).toContain("ü€😀");
  expect(log.lines()[0]?.["content"]).toBe(content);
});

test("across restarts no line is lost and none is repeated, also when it died between lines and cursor", async () => {
  const { hub, alice, bob } = await openPair();
  const file = join(tempFolder(), "logs", "agent-comms.log");
  const first = startLog(hub, file);
  await hub.send(alice, bob, "one");
  await first.caughtUp();
  const cursor = readFileSync(`${file}.cursor`);
  await hub.send(alice, bob, "two");
  await first.caughtUp();
  await first.close();
  await hub.send(alice, bob, "three");
  writeFileSync(`${file}.cursor`, cursor); // As if it had died before "two" was noted.
  writeFileSync(file, '{"half a li', { flag: "a" });

  const second = startLog(hub, file);
  await hub.send(alice, bob, "four");
  await second.caughtUp();

  expect(second.lines().map(({ content }) => content)).toEqual(["one", "two", "three", "four"]);
});

test("it is rotated by size, the oldest file goes, and no line is cut", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub, undefined, { maxBytes: 5000, files: 3 });
  for (let i = 0; i < 40; i++) {
    await hub.send(alice, bob, `${i} ${"x".repeat(500)}`);
    if (i % 5 === 4) await log.caughtUp();
  }
  await log.caughtUp();

  const folder = dirname(log.file);
  const files = readdirSync(folder).filter((name) => !name.endsWith(".cursor"));
  expect(files.sort()).toEqual(expect.arrayContaining(["agent-comms.log.1", "agent-comms.log.2"]));
  expect(files.length).toBeLessThanOrEqual(3);
  const kept = ["agent-comms.log.2", "agent-comms.log.1", "agent-comms.log"]
    .filter((name) => existsSync(join(folder, name)))
    .flatMap((name) => linesIn(join(folder, name)))
    .map(({ content }) => Number(String(content).split(" ")[0]));
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 40 - kept.length + i));
  for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

test("a file that cannot be written costs no line once it can be, and never the hub", async () => {
  const { hub, alice, bob } = await openPair();
  const file = join(tempFolder(), "logs", "agent-comms.log");
  mkdirSync(file, { recursive: true }); // A folder in its place.
  const log = startLog(hub, file, { retryMs: 20 });
  await hub.send(alice, bob, "while it cannot");
  await patiently(() => expect(log.problems.length).toBe(1));
  await hub.send(alice, bob, "still not");
  rmSync(file, { recursive: true });

  await patiently(() => expect(existsSync(file) && log.lines().length).toBe(2));
  expect(log.problems).toHaveLength(1);
});

test.runIf(existsSync("/dev/full"))("a full disk does not stop it", async () => {
  const { hub, alice, bob } = await openPair();
  const folder = tempFolder();
  const file = join(folder, "agent-comms.log");
  symlinkSync("/dev/full", file);
  const log = startLog(hub, file, { retryMs: 20 });
  await hub.send(alice, bob, "no room");
  await patiently(() => expect(log.problems.length).toBe(1));
  rmSync(file);
  await patiently(() => expect(existsSync(file) && log.lines().length).toBe(1));
});

test("a log that somebody moved away goes on in a new file", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  await hub.send(alice, bob, "one");
  await log.caughtUp();
  rmSync(log.file);
  await hub.send(alice, bob, "two");
  await log.caughtUp();
  expect(log.lines().map(({ content }) => content)).toEqual(["two"]);
});

test("an older backup that was restored is not logged twice", async () => {
  const { hub, alice, bob } = await openPair();
  const log = startLog(hub);
  for (const text of ["one", "two", "three"]) await hub.send(alice, bob, text);
  await log.caughtUp();
  await log.close();

  const restored = openTestHub();
  const [carol, dave] = [await restored.register("carol"), await restored.register("dave")];
  const again = startLog(restored, log.file);
  await restored.send(carol, dave, "after the restore");
  await again.caughtUp();

  expect(again.lines().map(({ content }) => content)).toEqual(["one", "two", "three", "after the restore"]);
});

test("agents of one name in two teams are told apart", async () => {
  const hub = openTestHub();
  const [alpha, beta, bob] = [
    await hub.register("ana", { team: "alpha" }),
    await hub.register("ana", { team: "beta" }),
    await hub.register("bob"),
  ];
  const log = startLog(hub);
  await hub.send(alpha, bob, "one");
  await hub.sendTo(bob, beta, "two");
  await hub.work(beta, "claim", "docs");
  await log.caughtUp();

  expect(log.lines().map(({ from, to }) => `${String(from)} → ${String(to)}`)).toEqual([
    "alpha/ana → bob",
    "bob → beta/ana",
    "beta/ana → all",
  ]);
});
