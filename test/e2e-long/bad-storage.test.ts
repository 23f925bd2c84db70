import { chmodSync, copyFileSync, cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSqlite } from "../../src/journal/sqlite/open.js";
import { parseObject } from "../fakes/http-call.js";
import { createHubYard, type HubOptions, launchHub } from "../fakes/hub-process.js";
import { drainInbox, memberAt, registerAgent } from "../fakes/member.js";
import { mountSmallDisk } from "../fakes/small-disk.js";

/* A hub that cannot start says what is wrong, where, and what to do, and changes nothing. */

const yard = createHubYard();
afterAll(() => yard.clear());

async function refusal(options: HubOptions & { home: string }) {
  const launch = launchHub(options);
  const late = setTimeout(() => launch.child.kill("SIGKILL"), 300_000);
  const { code, stdout, stderr } = await launch.ended;
  clearTimeout(late);
  expect(stdout).toBe("");
  expect(code, stderr).toBeGreaterThan(0);
  const said = parseObject(stderr);
  expect(stderr).not.toMatch(/^\s+at /m);
  return { code: said["code"], sentence: String(said["error"]) };
}

let first: ReturnType<typeof useHome> | undefined;

async function useHome() {
  const home = yard.home();
  const hub = await yard.start({ home });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await hub.http.call("POST", "/api/agents/ann/messages", { token: hub.operator, body: { message: "kept" } });
  await hub.stop();
  return { home, ann };
}

/** A data directory with an agent and a message in it, its hub stopped: a copy of the one that was used. */
async function usedHome() {
  first ??= useHome();
  const { home: used, ann } = await first;
  const home = yard.home();
  cpSync(used, home, { recursive: true });
  return { home, ann, database: join(home, "huddle.db") };
}

describe("a database that", () => {
  test("was written by a newer Huddle is left alone", async () => {
    const { home, database } = await usedHome();
    const db = openSqlite(database);
    db.pragma("user_version = 999");
    db.close();
    const before = readFileSync(database);

    const { code, sentence } = await refusal({ home });

    expect(code).toBe("DATA_NEWER");
    expect(sentence).toContain(database);
    expect(sentence).toMatch(/upgrade/i);
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  // src/journal/open-database.test.ts has one that is no database at all.
  test.each([
    ["has a broken first page", (file: string) => overwrite(file, 0, 100)],
    ["has a broken schema", (file: string) => overwrite(file, 100, 2000)],
  ])("%s is called that and left alone", async (_, damage) => {
    const { home, database } = await usedHome();
    damage(database);
    const before = readFileSync(database);

    const { code, sentence } = await refusal({ home });

    expect(code).toBe("DATA_CORRUPT");
    expect(sentence).toContain(database);
    expect(readFileSync(database).equals(before)).toBe(true);
  });

  test("has lost its lazy views, or has broken ones, rebuilds them", async () => {
    const { home, ann } = await usedHome();
    writeFileSync(join(home, "huddle-views.db"), "broken");

    const hub = await yard.start({ home });

    expect(await memberAt(hub.http, ann).inbox()).toMatchObject([{ content: "kept" }]);
  });
});

// src/daemon/secrets.test.ts has all that can be wrong with one.
test("a secret that others can read is refused with what to do, and never shown", async () => {
  const { home } = await usedHome();
  const file = join(home, "token");
  const token = readFileSync(file, "utf8").trim();
  chmodSync(file, 0o644);

  const { code, sentence } = await refusal({ home });

  expect(code).toBe("DATA_UNUSABLE");
  expect(sentence).toContain(file);
  expect(sentence).toMatch(/chmod 600/);
  expect(sentence).not.toContain(token);
});

describe("a place that", () => {
  test("others can write is refused with the command that closes it, and works once it is closed", async () => {
    const { home } = await usedHome();
    chmodSync(home, 0o770);

    const { code, sentence } = await refusal({ home });

    expect(code).toBe("DATA_UNUSABLE");
    expect(sentence).toContain(`chmod 700 ${home}`);
    chmodSync(home, 0o755);
    await (await yard.start({ home })).stop();
  });

  test("is a file is refused", async () => {
    const file = join(yard.home(), "file");
    writeFileSync(file, "");

    const { code, sentence } = await refusal({ home: file });

    expect(code).toMatch(/^(DATA_UNUSABLE|CONFIG_INVALID)$/);
    expect(sentence).toContain(file);
  });

  test("cannot be written is refused", async ({ skip }) => {
    const disk = mountSmallDisk(16 * 1024 * 1024);
    if (typeof disk === "string") return skip(disk);
    try {
      disk.makeReadOnly(true);
      const { code, sentence } = await refusal({ home: join(disk.folder, "home") });

      expect(code).toBe("DATA_UNUSABLE");
      expect(sentence).toMatch(/read-only/i);
    } finally {
      disk.unmount();
    }
  });

  test("became read-only after it was used is refused, and works once it can be written", async ({
    skip,
  }) => {
    const disk = mountSmallDisk(16 * 1024 * 1024);
    if (typeof disk === "string") return skip(disk);
    try {
      const home = join(disk.folder, "home");
      const hub = await yard.start({ home });
      const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
      await hub.stop();
      disk.makeReadOnly(true);

      expect((await refusal({ home })).code).toBe("DATA_UNUSABLE");

      disk.makeReadOnly(false);
      const again = await yard.start({ home });
      expect((await memberAt(again.http, ann).call("GET", "/api/inbox")).status).toBe(200);
      await again.stop();
    } finally {
      disk.unmount();
    }
  });

  test("has no room for a new hub is refused, saying that the disk is full", async ({ skip }) => {
    const disk = mountSmallDisk(1024 * 1024);
    if (typeof disk === "string") return skip(disk);
    try {
      disk.addBallast(1024 * 1024 - 8192);
      const { code, sentence } = await refusal({ home: join(disk.folder, "home") });

      expect(code).toMatch(/^(DATA_UNUSABLE|STORAGE_FULL)$/);
      expect(sentence).toMatch(/full|space/i);
    } finally {
      disk.unmount();
    }
  });
});

// src/daemon/config-load.test.ts has all that can be wrong with them.
describe("a setting that", () => {
  test("is wrong on the command line or in a file is refused naming each, and the place", async () => {
    const home = yard.home();
    writeFileSync(join(home, "huddle.yaml"), "requests:\n  capp: 5\n");
    const set = ["inbox.capp=5", "inbox.cap=many", "host=0.0.0.0", "http.connections"];

    const { code, sentence } = await refusal({ home, set });

    expect(code).toBe("CONFIG_INVALID");
    for (const named of ["inbox.capp", "inbox.cap", "host", "http.connections"])
      expect(sentence).toContain(named);
    expect(sentence).toMatch(/huddle\.yaml.*capp/s);
  });

  test("is a port that is taken is refused with what to do", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => other.once("listening", done));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;

    const { code, sentence } = await refusal({ home: yard.home(), port });
    other.close();

    expect(code).toBe("PORT_TAKEN");
    expect(sentence).toContain(String(port));
    expect(sentence).toMatch(/--port 0/);
  });
});

test("a copy of the data directory, taken while the hub ran, starts with all that was accepted before, and so does one whose write-ahead log has a torn end", async () => {
  const home = yard.home();
  const hub = await yard.start({ home });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  for (let n = 0; n < 50; n++) await ann.send("ben", `message ${n}`);
  const copy = yard.home();
  for (const file of ["huddle.db", "huddle.db-wal", "token", "join"]) {
    copyFileSync(join(home, file), join(copy, file));
    chmodSync(join(copy, file), 0o600);
  }

  const second = await yard.start({ home: copy });

  expect(await drainInbox(memberAt(second.http, ben))).toHaveLength(50);
  expect(statSync(join(copy, "huddle.db")).mode & 0o777).toBe(0o600);

  await hub.kill();
  const wal = join(home, "huddle.db-wal");
  writeFileSync(wal, Buffer.concat([readFileSync(wal), Buffer.alloc(10_000, 7)]));
  const again = await yard.start({ home });
  expect(await drainInbox(memberAt(again.http, ben))).toHaveLength(50);
});

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, to);
  writeFileSync(file, bytes);
}
