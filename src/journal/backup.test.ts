import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../test/fakes/patiently.js";
import { outcome, refusal } from "../../test/fakes/refusal.js";
import { mountSmallDisk } from "../../test/fakes/small-disk.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { dumpViews } from "../../test/fakes/test-journal.js";
import { openSqlite } from "./sqlite/open.js";

async function openWithMail(count = 5) {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await Promise.all(Array.from({ length: count }, (_, i) => hub.send(alice, bob, `message ${i}`)));
  return { hub, alice, bob };
}

test("a restored hub has everything: put the file in place and start", async () => {
  const { hub, bob } = await openWithMail();
  const file = join(tempFolder(), "copy.db");

  const backedUp = await hub.backUp(file);

  expect(backedUp).toEqual({
    file,
    bytes: statSync(file).size,
    events: hub.events.lastSeq(),
    seq: hub.events.lastSeq(),
  });
  const restored = openTestHub({ file, clock: hub.clock });
  expect(dumpViews(restored.db, restored.views)).toEqual(dumpViews(hub.db, hub.views));
  expect(restored.events.pageAfter(0, 1000)).toEqual(hub.events.pageAfter(0, 1000));
  expect(await restored.inbox(bob)).toEqual([
    "message 0",
    "message 1",
    "message 2",
    "message 3",
    "message 4",
  ]);
});

test("it is one file, for this user only, with nothing left beside it", async () => {
  const { hub } = await openWithMail();
  const folder = tempFolder();

  await hub.backUp(join(folder, "copy.db"));

  expect(readdirSync(folder)).toEqual(["copy.db"]);
  expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
});

test("commands are answered while it copies, and the copy is whole", async () => {
  const { hub, alice, bob } = await openWithMail();
  await Promise.all(Array.from({ length: 300 }, () => hub.send(alice, bob, "x".repeat(20_000))));
  const file = join(tempFolder(), "copy.db");
  let ended = false;
  const copying = hub.backUp(file).finally(() => {
    ended = true;
  });
  let answered = 0;
  while (!ended && answered < 500) {
    await hub.send(alice, bob, "meanwhile");
    if (!ended) answered++;
  }

  const { seq, events } = await copying;
  expect(answered).toBeGreaterThan(5);
  const restored = openTestHub({ file, clock: hub.clock });
  expect(restored.events.lastSeq()).toBe(seq);
  expect(events).toBe(seq);
  expect(restored.views.inbox.depth(bob)).toBe(restored.events.lastSeq() - 4);
}, 30_000);

test("a hub that stops while it copies leaves a whole copy or nothing", async () => {
  const { hub, alice, bob } = await openWithMail();
  for (let i = 0; i < 100; i++) await hub.send(alice, bob, "x".repeat(20_000));
  const folder = tempFolder();
  const copying = outcome(hub.backUp(join(folder, "copy.db")));
  await hub.close();

  const ended = await copying;
  expect(readdirSync(folder)).toEqual(ended === "ok" ? ["copy.db"] : []);
});

test("a file that exists is left as it is", async () => {
  const { hub } = await openWithMail();
  const file = join(tempFolder(), "taken.db");
  writeFileSync(file, "precious");

  expect(await refusal(hub.backUp(file))).toMatchObject({ code: "FILE_EXISTS", details: { file } });
  expect(readFileSync(file, "utf8")).toBe("precious");
});

test("a file that comes in between is left as it is, and nothing is left beside it", async () => {
  const { hub } = await openWithMail();
  const folder = tempFolder();
  const file = join(folder, "copy.db");

  const copying = refusal(hub.backUp(file));
  await patiently(() => expect(readdirSync(folder).join()).toContain(".partial"));
  writeFileSync(file, "precious");

  expect(await copying).toMatchObject({ code: "FILE_EXISTS", details: { file } });
  expect(readFileSync(file, "utf8")).toBe("precious");
  expect(readdirSync(folder)).toEqual(["copy.db"]);
});

test("a disk without room is said to be full, and keeps nothing of it", async ({ skip }) => {
  const disk = mountSmallDisk(1024 * 1024);
  if (typeof disk === "string") return skip(disk);
  onTestFinished(() => disk.unmount());
  const { hub, alice, bob } = await openWithMail();
  await Promise.all(Array.from({ length: 100 }, () => hub.send(alice, bob, "x".repeat(20_000))));
  const file = join(disk.folder, "copy.db");

  const refused = await refusal(hub.backUp(file));

  expect(refused).toMatchObject({ code: "STORAGE_FULL", details: { file } });
  expect(refused.message).toContain(`There is no room for ${file}`);
  expect(readdirSync(disk.folder).filter((name) => name.includes("copy"))).toEqual([]);
});

test.each([
  ["a relative path", "copy.db", /is not an absolute path/],
  ["a folder that is not there", "/nowhere/at/all/copy.db", /The folder \/nowhere\/at\/all does not exist/],
  ["a folder that is a file", "/etc/passwd/copy.db", /^\/etc\/passwd is not a folder$/],
])("%s is refused", async (_, file, message) => {
  const { hub } = await openWithMail(1);
  const refused = await refusal(hub.backUp(file));
  expect(refused).toMatchObject({ code: "FILE_UNUSABLE", details: { file } });
  expect(refused.message).toMatch(message);
});

test("a folder that cannot be written is refused", async ({ skip }) => {
  const { hub } = await openWithMail(1);
  const folder = closedFolder();
  if (folder === undefined) return skip("root may write anywhere, and may not mount here");
  const file = join(folder, "copy.db");
  const refused = await refusal(hub.backUp(file));
  expect(refused).toMatchObject({ code: "FILE_UNUSABLE", details: { file } });
  expect(refused.message).toContain(`${file} cannot be written`);
});

/** Root may write into any folder, unless its disk is read-only. */
function closedFolder(): string | undefined {
  if (process.getuid?.() === 0) return mountReadOnly();
  const folder = join(tempFolder(), "closed");
  mkdirSync(folder, { mode: 0o500 });
  return folder;
}

function mountReadOnly(): string | undefined {
  const disk = mountSmallDisk(1024 * 1024);
  if (typeof disk === "string") return undefined;
  onTestFinished(() => disk.unmount());
  disk.makeReadOnly(true);
  return disk.folder;
}

test("a copy of a damaged database gets no name", async () => {
  const { hub } = await openWithMail(200);
  await hub.close();
  const bytes = readFileSync(hub.file);
  const pages = bytes.length / 4096;
  // The pages of the journal's events: opening reads few of them.
  for (let page = Math.floor(pages / 2); page < pages - 1; page++)
    bytes.fill(0xa5, page * 4096, (page + 1) * 4096);
  const folder = tempFolder();
  const damaged = join(folder, "damaged.db");
  writeFileSync(damaged, bytes);
  const db = openSqlite(damaged);
  const { backUp } = await import("./backup.js");

  await expect(backUp(db, join(folder, "copy.db"))).rejects.toThrow(/not sound/);

  expect(existsSync(join(folder, "copy.db"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  db.close();
});
