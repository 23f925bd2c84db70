import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fillDisk, freeDisk } from "../../test/fakes/full-disk.js";
import { outcome, refusal } from "../../test/fakes/refusal.js";
import { mountSmallDisk } from "../../test/fakes/small-disk.js";
import { openTestCommits, refuse, repeat } from "../../test/fakes/test-commits.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { HubError } from "../model/errors.js";
import { SqliteError } from "./sqlite/sqlite-error.js";

test("when SQLite rolls a batch back by itself, every command of it fails and nothing of it is stored", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const before = hub.events.lastSeq();

  const answers = [
    hub.send(alice, bob, "1"),
    hub.register("carol"),
    hub.sendTo(alice, "nobody", "2"), // A refusal, and it too rests on a batch that is gone.
    hub.send(alice, bob, "3", { id: fillDisk(hub.db) }),
  ];

  expect(await Promise.all(answers.map(outcome))).toEqual(Array(4).fill("STORAGE_FULL"));
  expect(hub.events.lastSeq()).toBe(before);
  expect(hub.views.inbox.depth(bob)).toBe(0);
  expect(hub.views.roster.byName("carol", "main")).toBeUndefined();
  expect(hub.fatal).toEqual([]);
});

test("after such a batch the hub goes on as soon as there is room", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  const id = fillDisk(hub.db);
  const lost = hub.send(alice, bob, "lost", { id });
  const next = hub.send(alice, bob, "small");
  expect(await outcome(lost)).toBe("STORAGE_FULL");
  await next;

  freeDisk(hub.db);
  await hub.send(alice, bob, "lost", { id });

  expect(await hub.inbox(bob)).toEqual(["small", "lost"]);
});

test("on a disk that runs full, what was accepted is there after a restart and what was refused is not", async () => {
  const before = openTestHub({ limits: { inboxCap: 100_000 } });
  const [alice, bob] = [await before.register("alice"), await before.register("bob")];
  const pages = Number(before.db.pragma("page_count", { simple: true }));
  before.db.pragma(`max_page_count = ${pages + 60}`);

  const ids = Array.from({ length: 1000 }, (_, i) => `m${i}-${"x".repeat((i * 37) % 500)}`);
  const outcomes = await Promise.all(ids.map((id) => outcome(before.send(alice, bob, "x", { id }))));
  const accepted = ids.filter((_, i) => outcomes[i] === "ok");
  const hub = await before.restart();

  expect(new Set(outcomes)).toEqual(new Set(["ok", "STORAGE_FULL"]));
  expect(hub.views.inbox.open(bob).map(({ seq }) => hub.views.messages.bySeq(seq)?.data.message.id)).toEqual(
    accepted,
  );
});

test("on a real full disk nothing is half-stored, and the hub goes on", async ({ skip }) => {
  const disk = mountSmallDisk(1024 * 1024);
  if (typeof disk === "string") return skip(disk);
  onTestFinished(() => disk.unmount());
  const hub = openTestHub({ file: join(disk.folder, "huddle.db"), limits: { inboxCap: 100_000 } });
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];

  const codes: string[] = [];
  for (let i = 0; i < 40; i++) {
    codes.push(await outcome(hub.send(alice, bob, "x".repeat(50_000), { id: `m${i}` })));
  }

  expect(new Set(codes)).toEqual(new Set(["ok", "STORAGE_FULL"]));
  expect(hub.fatal).toEqual([]);
  const stored = hub.views.inbox.open(bob).map(({ seq }) => hub.views.messages.bySeq(seq)?.data.message.id);
  expect(stored).toEqual(codes.flatMap((code, i) => (code === "ok" ? [`m${i}`] : [])));
});

test("while less than the reserve is free, nothing is even tried", async () => {
  const hub = openTestHub({ journalLimits: { reserve: Number.MAX_SAFE_INTEGER } });

  const error = await refusal(hub.register("alice"));

  expect(error.code).toBe("STORAGE_FULL");
  expect(error.details).toMatchObject({ reserve: Number.MAX_SAFE_INTEGER });
  expect(hub.events.lastSeq()).toBe(0);
});

test("without room every command that waits is told so, and later ones succeed when there is some", async () => {
  let isFull = true;
  const { run, log, stored } = openTestCommits({
    checkRoom() {
      if (isFull) throw new HubError("STORAGE_FULL", "full");
    },
  });

  await Promise.all([run("a"), run("b", repeat)]);
  isFull = false;
  await run("c");

  expect(log.slice(0, 3)).toEqual(["a: STORAGE_FULL", "b: STORAGE_FULL", "decide c"]); // Nothing ran, so nothing is taken back.
  expect(stored()).toEqual(["c"]);
});

const ioError = () => new SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");

test.each([
  ["and it was not stored", false],
  ["though it was stored", true],
])(
  "a failing COMMIT (%s) tells everyone that the outcome is unknown, and the hub stops",
  async (_how, isStored) => {
    const { run, log, stored } = openTestCommits({
      onCommit(commit) {
        if (isStored) commit();
        throw ioError();
      },
      limits: { commands: 3, milliseconds: 1000 },
    });

    await Promise.all([
      run("a"),
      run("refused", refuse("SELF_SEND")),
      run("repeated", repeat),
      run("waiting for the next batch"),
    ]);
    await run("late");

    const ends = log.filter((line) => line.includes(": "));
    expect(ends).toEqual([
      "a: OUTCOME_UNKNOWN",
      "refused: OUTCOME_UNKNOWN",
      "repeated: OUTCOME_UNKNOWN",
      "waiting for the next batch: OUTCOME_UNKNOWN",
      "late: OUTCOME_UNKNOWN",
    ]);
    expect(log.filter((line) => line.startsWith("fatal"))).toEqual(["fatal OUTCOME_UNKNOWN"]);
    expect(log.some((line) => line.startsWith("committed"))).toBe(false);
    expect(stored()).toEqual(isStored ? ["a"] : []);
  },
);

test("a COMMIT that found no room left nothing behind: everyone is told so, and the hub goes on", async () => {
  let isFull = true;
  const { run, log, stored, db } = openTestCommits({
    onCommit(commit) {
      if (isFull) throw new SqliteError("database or disk is full", "SQLITE_FULL");
      commit();
    },
  });

  await Promise.all([run("a"), run("refused", refuse("SELF_SEND"))]);
  expect(db.inTransaction).toBe(false);
  isFull = false;
  await run("b");

  expect(log.filter((line) => line.includes(": "))).toEqual([
    "a: STORAGE_FULL",
    "refused: STORAGE_FULL",
    "b: stored",
  ]);
  expect(log.some((line) => line.startsWith("fatal"))).toBe(false);
  expect(stored()).toEqual(["b"]);
});
