import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { damagePage } from "../fakes/damage-page.js";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard, launchHub } from "../fakes/hub-process.js";
import { drainInbox, memberAt, registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { containing } from "../fakes/text-matching.js";

/* Damage that start-up does not read is found by the check in the background, and by whoever meets it. */

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

/** So many that what is old is not read when a hub starts. */
const MESSAGES = 1500;
/** The damaged ones are among these. */
const EARLY = 500;

function huddle(home: string, ...argv: string[]) {
  return cli(argv, { env: { HUDDLE_HOME: home }, self: [process.execPath, resolve("dist", "main.js")] });
}

const healthOf = async (hub: HubProcess) =>
  (await hub.http.call("GET", "/api/health", { token: hub.operator })).json;

const prepared = createHubYard();
afterAll(() => prepared.clear());
let long: ReturnType<typeof writeLongJournal> | undefined;

async function writeLongJournal() {
  const home = prepared.home();
  const hub = await prepared.start({ home, set: ["inbox.cap=100000"] });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  for (let n = 0; n < MESSAGES; n += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => ann.send("ben", "x".repeat(400), { id: `m${n + i}` })),
    );
  }
  await drainInbox(ben);
  await hub.stop();
  return { home, ann, ben };
}

/** A home with a long journal, its hub stopped: a copy of the one that was written. */
async function longHome() {
  long ??= writeLongJournal();
  const { home: written, ann, ben } = await long;
  const home = yard.home();
  cpSync(written, home, { recursive: true });
  return { home, ann, ben, database: join(home, "huddle.db") };
}

describe("a bad page of", () => {
  test("the events is found at the start, aside, and said; the rest can be exported, with how much is missing", async () => {
    const { home, database } = await longHome();
    damagePage(database, "event");
    const hub = await yard.start({ home });

    const out = join(yard.home(), "messages.jsonl");
    const { code, stderr } = await huddle(home, "export", "--out", out, "--timeout", "5m");

    const saved = readFileSync(out, "utf8").trim().split("\n").length;
    expect(saved).toBeGreaterThan(MESSAGES - 50);
    expect(saved).toBeLessThan(MESSAGES);
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged.*left out/s);

    const problem = await eventually(async () => {
      const health = await healthOf(hub);
      return health["ok"] === false ? health : undefined;
    }, "the damage is found");

    expect(problem).toMatchObject({ code: "DATA_CORRUPT" });
    expect(problem["error"]).toContain(database);
    for (const way of ["huddle export", "restore a backup", "huddle rebuild"])
      expect(problem["error"]).toContain(way);
    expect(hub.stderr()).toContain(String(problem["error"]));
    expect(readFileSync(join(home, "logs", "hub.log"), "utf8")).toContain("is damaged");
    const sent = await hub.http.call("POST", "/api/agents/ben/messages", {
      token: hub.operator,
      body: { message: "the person's mail goes on" },
    });
    expect(sent.status, sent.text).toBe(202);
  });

  test("a view is found at the start, by the check alone: nobody reads there", async () => {
    const { home, database } = await longHome();
    damagePage(database, "message");
    const hub = await yard.start({ home });

    const problem = await eventually(async () => {
      const health = await healthOf(hub);
      return health["ok"] === false ? health : undefined;
    }, "the damage of a view is found");

    expect(problem).toMatchObject({ code: "DATA_CORRUPT" });
  });

  test("what a send needs answers DATA_CORRUPT to that send, and health works", async () => {
    const { home, ann, database } = await longHome();
    damagePage(database, "event", "early");
    const hub = await yard.start({ home });

    const codes = new Set<string>();
    let first = EARLY;
    for (let n = 0; n < EARLY && n < first + 10; n++) {
      const { status, json } = await memberAt(hub.http, ann).receipt(`m${n}`);
      if (status === 200) continue;
      first = Math.min(first, n);
      codes.add(`${status} ${String(json["code"])}`);
    }
    // The same id again is looked up, and meets the damage.
    const sends = new Set<string>();
    for (let n = Math.max(0, first - 10); n < first + 10; n++) {
      const { status, json } = await memberAt(hub.http, ann).send("ben", "x".repeat(400), { id: `m${n}` });
      if (status !== 202) sends.add(`${status} ${String(json["code"])}`);
    }

    expect(codes).toEqual(new Set(["500 DATA_CORRUPT"]));
    expect(sends).toEqual(new Set(["500 DATA_CORRUPT"]));
    expect(await healthOf(hub)).toMatchObject({ ok: false, code: "DATA_CORRUPT" });
  });

  test("a view is repaired by a rebuild, and the damaged file is kept", async () => {
    const { home, ben, database } = await longHome();
    damagePage(database, "message");

    const { code, stdout, stderr } = huddleRebuild(home);

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/huddle\.db\.damaged/);
    const hub = await yard.start({ home });
    expect((await memberAt(hub.http, ben).receipt(`m${MESSAGES / 2}`)).status).toBe(200);
    expect(await healthOf(hub)).toMatchObject({ ok: true });
  });
});

/** In a process of its own, which is what keeps a hub from starting meanwhile. */
function huddleRebuild(home: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("dist", "main.js"), "rebuild"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HUDDLE_HOME: home },
  });
  return { code: status, stdout, stderr };
}

test("an empty database beside a token is no new hub: it is refused, with the way out", async () => {
  const home = yard.home();
  await (await yard.start({ home })).stop();
  const database = join(home, "huddle.db");
  writeFileSync(database, "");

  const launch = launchHub({ home });
  const { code, stderr } = await launch.ended;

  expect(code).toBe(1);
  const refusal = JSON.parse(stderr) as { code: string; error: string };
  expect(refusal.code).toBe("DATA_CORRUPT");
  expect(refusal.error).toMatch(/Restore a backup/);
  expect(refusal.error).toContain(`rm ${database}`);
  expect(readFileSync(database)).toHaveLength(0);
});

test("a hub killed while it made its first database starts all the same", async () => {
  const home = yard.home();
  writeFileSync(join(home, "huddle.db"), "");

  const hub = await yard.start({ home });

  expect(await healthOf(hub)).toMatchObject({ ok: true });
  expect(existsSync(join(home, "token"))).toBe(true);
});

test.each(["huddle-views.db", "huddle-search.db"])(
  "a %s that is a folder is named, with the way out",
  async (name) => {
    const home = yard.home();
    const folder = join(home, name);
    mkdirSync(join(folder, "something"), { recursive: true });

    const { code, stderr } = await launchHub({ home }).ended;

    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      code: "DATA_UNUSABLE",
      error: containing(`rm -r ${folder}`),
    });
    expect(existsSync(join(folder, "something"))).toBe(true);
  },
);
