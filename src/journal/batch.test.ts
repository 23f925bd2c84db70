import { expect, test } from "vitest";
import { createTestClock } from "../../test/fakes/test-clock.js";
import { openTestCommits, refuse, repeat, storeName } from "../../test/fakes/test-commits.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { openTestJournal } from "../../test/fakes/test-journal.js";
import type { HubContext } from "../hub/context.js";
import { SqliteError } from "./sqlite/sqlite-error.js";

const tick = () => new Promise((resolve) => setImmediate(resolve));

test("a command sees what its earlier siblings in the same batch decided: no two winners", async () => {
  const hub = openTestHub();
  let commits = 0;
  hub.onCommitted(() => commits++);

  const agents = await Promise.all(Array.from({ length: 5 }, () => hub.register("alice")));

  expect(commits).toBe(1);
  expect(agents.map(hub.nameOf)).toEqual(["alice", "alice-2", "alice-3", "alice-4", "alice-5"]);
});

test("nothing is decided before the batch begins", async () => {
  const { run, log } = openTestCommits();

  const running = run("a");
  expect(log).toEqual([]);

  await running;
  expect(log).toEqual(["decide a", "commit", "a: stored", "committed 1"]);
});

test("commands of one turn share a commit, and are answered after it, refusals and repeats too", async () => {
  const { run, log, stored } = openTestCommits();

  await Promise.all([run("a"), run("refused", refuse("SELF_SEND")), run("repeated", repeat), run("b")]);

  expect(log).toEqual([
    "decide a",
    "decide refused",
    "decide repeated",
    "decide b",
    "commit",
    "a: stored",
    "refused: SELF_SEND",
    "repeated: repeated",
    "b: stored",
    "committed 2",
  ]);
  expect(stored()).toEqual(["a", "b"]);
});

test("with only refusals and repeats there is nothing to commit", async () => {
  const { run, log, db } = openTestCommits();

  await Promise.all([run("refused", refuse("ID_REUSED")), run("repeated", repeat)]);

  expect(log).toEqual(["decide refused", "decide repeated", "refused: ID_REUSED", "repeated: repeated"]);
  expect(db.inTransaction).toBe(false);
});

test("a command that fails half-way through its events fails alone; its siblings are stored", async () => {
  const { run, stored, log } = openTestCommits({
    onAppend(_db, { data }) {
      if ("name" in data && data.name === "second") throw new Error("the fold failed");
    },
  });
  const both = () => ({
    ...storeName("first"),
    events: ["first", "second"].flatMap((n) => storeName(n).events),
  });

  await Promise.all([run("a"), run("both", both), run("b")]);

  expect(stored()).toEqual(["a", "b"]);
  expect(log).toContain("both: Error: the fold failed");
  expect(log).toContain("a: stored");
  expect(log).toContain("b: stored");
  expect(log).toContain("rolled back");
});

test("what a failed command had folded is forgotten by the views", async () => {
  const hub = openTestHub();
  await hub.register("alice", { credential: "taken" });

  const [failed, bob] = await Promise.allSettled([
    hub.register("bob", { credential: "taken", project: "/wrong" }), // Its second event cannot be stored.
    hub.register("bob", { project: "/right" }),
  ]);

  expect(failed.status).toBe("rejected");
  expect(bob.status).toBe("fulfilled");
  expect(hub.views.roster.byName("bob", "main")).toMatchObject({ project: "/right" });
  expect(hub.views.roster.list({ limit: 10 }).map(({ name }) => name)).toEqual(["alice", "bob"]);
});

test("a batch takes at most so many commands", async () => {
  const { run, log, stored } = openTestCommits({ limits: { commands: 256, milliseconds: 1000 } });
  const names = Array.from({ length: 600 }, (_, i) => `${i}`);

  await Promise.all(names.map((name) => run(name)));

  expect(log.filter((line) => line.startsWith("committed"))).toEqual([
    "committed 256",
    "committed 256",
    "committed 88",
  ]);
  expect(stored()).toEqual(names);
});

test("a batch takes commands for at most so long", async () => {
  const clock = createTestClock();
  const slow = (_input: null, _context: HubContext) => {
    clock.advance(2);
    return storeName("slow");
  };
  const journal = openTestJournal({ slow }, { clock });
  const sizes: number[] = [];
  journal.onCommitted((events) => sizes.push(events.length));

  await Promise.all(Array.from({ length: 7 }, () => journal.execute("slow", null)));

  expect(sizes).toEqual([3, 3, 1]); // Begun at 0, 2 and 4 ms: at 6 ms the 5 are over.
});

test("while one batch is decided the event loop gets its turn before the next", async () => {
  const { run, log } = openTestCommits({ limits: { commands: 2, milliseconds: 1000 } });

  const all = Promise.all(["a", "b", "c", "d"].map((name) => run(name)));
  await tick();
  log.push("another turn");
  await all;

  expect(log.indexOf("another turn")).toBeGreaterThan(log.indexOf("committed 2"));
  expect(log.indexOf("another turn")).toBeLessThan(log.indexOf("d: stored"));
});

test("what is executed while events are applied joins the same batch and commit", async () => {
  const note = (input: string, _context: HubContext) => storeName(input);
  const journal = openTestJournal({ note });
  const commits: number[][] = [];
  journal.onCommitted((events) => commits.push(events.map(({ seq }) => seq)));
  const reactions: Promise<unknown>[] = [];
  journal.onApplied((events) => {
    for (const { data } of events) {
      if ("name" in data && data.name === "first") reactions.push(journal.execute("note", "reaction"));
    }
  });

  await Promise.all([journal.execute("note", "first"), journal.execute("note", "second")]);

  expect(await Promise.all(reactions)).toEqual(["stored"]);
  expect(commits).toEqual([[1, 2, 3]]);
});

test("while it is paused nothing is decided; then all of it is", async () => {
  const { run, log, pause, resume } = openTestCommits();
  const running = Promise.all([run("a"), run("b")]);
  pause();
  await tick();
  await tick();
  expect(log).toEqual([]);

  resume();
  await running;

  expect(log.at(-1)).toBe("committed 2");
});

test("a journal that closes stores what waits and refuses what comes after", async () => {
  const note = (input: string, _context: HubContext) => storeName(input);
  const journal = openTestJournal({ note });

  const waiting = journal.execute("note", "waiting");
  const closed = journal.close();
  const late = journal.execute("note", "late");

  await expect(waiting).resolves.toBe("stored");
  await expect(late).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  await closed;
});

test("an unknown command is refused and harms nothing", async () => {
  const note = (input: string, _context: HubContext) => storeName(input);
  const journal = openTestJournal<Record<string, typeof note>>({ note });

  await expect(journal.execute("nothing", "x")).rejects.toMatchObject({ code: "INTERNAL" });
  await expect(journal.execute("note", "x")).resolves.toBe("stored");
});

test("upkeep that fails fails alone: what it wrote is gone, and the commands beside it are stored", async () => {
  const { run, submit, stored, db } = openTestCommits();
  const upkeep = (write: () => void) =>
    new Promise<string>((done) => {
      submit({ write, resolve: () => done("done"), reject: (error) => done(String(error)) });
    });
  const note = (key: string) => db.prepare("INSERT INTO meta (key, value) VALUES (?, 'x')").run(key);

  const ended = await Promise.all([
    run("a"),
    upkeep(() => {
      note("half");
      throw new Error("not today");
    }),
    upkeep(() => void note("whole")),
    run("b"),
  ]);

  expect(ended[1]).toBe("Error: not today");
  expect(ended[2]).toBe("done");
  expect(stored()).toEqual(["a", "b"]);
  const keys = db.prepare<[], string>("SELECT key FROM meta WHERE value = 'x'").pluck().all();
  expect(keys).toEqual(["whole"]);
});

test("upkeep that the disk refuses is told so as a full disk", async () => {
  const { submit } = openTestCommits();
  const refused = await new Promise<unknown>((done) => {
    submit({
      write: () => {
        throw new SqliteError("database or disk is full", "SQLITE_FULL");
      },
      resolve: () => done(undefined),
      reject: done,
    });
  });

  expect(refused).toMatchObject({ code: "STORAGE_FULL" });
});
