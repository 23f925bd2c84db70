import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, processesOf, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import {
  createHubYard,
  type HubProcess,
  type HubYard,
  launchHub,
  signalProcess,
} from "../fakes/hub-process.js";
import { mountLoopDisk } from "../fakes/loop-disk.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { cli } from "../fakes/run-cli.js";
import { mountSmallDisk } from "../fakes/small-disk.js";
import { matching } from "../fakes/text-matching.js";

/* A hub whose storage goes away under it says so, answers nothing "accepted" that is lost, and ends. */

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

/** Far longer than the hub's own bounds: 1 s until it looks, 5 s until it ends. */
const ENDS_MS = 2 * PATIENCE_MS;

/** The hub goes on writing there until it notices: a folder may have got a file between its emptying and its end. */
function removeUnder(home: string): void {
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
}

/** What a person sees who runs `huddle` there. */
function huddle(home: string, ...argv: string[]) {
  return cli(argv, { env: { HUDDLE_HOME: home }, self: [process.execPath, resolve("dist", "main.js")] });
}

async function withAnn(hub: HubProcess): Promise<Member> {
  await registerAgent(hub.http, hub.join, { name: "ben" });
  return registerAgent(hub.http, hub.join, { name: "ann" });
}

/** How it ended by itself; a hub that goes on is killed, and has no code then. */
async function endOf(hub: HubProcess) {
  const late = setTimeout(() => void hub.kill(), ENDS_MS);
  const end = await hub.ended;
  clearTimeout(late);
  return end;
}

/** Sends until the hub is gone; what it answered, as status and code. */
async function sendUntilGone(ann: Member, hub: HubProcess): Promise<{ status: number; code: unknown }[]> {
  let isGone = false;
  void endOf(hub).then(() => {
    isGone = true;
  });
  const answers: { status: number; code: unknown }[] = [];
  while (!isGone) {
    const answer = await ann.send("ben", "anyone there?").catch(() => undefined);
    if (answer === undefined) break;
    answers.push({ status: answer.status, code: answer.json["code"] });
  }
  return answers;
}

test("on a disk that turned read-only it says so, ends with exit code 1, and is refused there again", async ({
  skip,
}) => {
  const disk = mountLoopDisk();
  if (typeof disk === "string") return skip(disk);
  try {
    const home = join(disk.folder, "home");
    const hub = await startHostingHub(yard, { home });
    const agent = await spawnAgent(hub, { name: "hal", project: yard.home() });
    const ann = await withAnn(hub);
    await ann.send("ben", "before");
    disk.turnReadOnly();

    const sent = await ann.send("ben", "after");
    // It ends 300 ms later: on a busy machine this may come too late.
    const health = await hub.http.call("GET", "/api/health", { token: hub.operator }).catch(() => undefined);
    const { code, stderr } = await endOf(hub);

    expect(sent).toMatchObject({ status: 503, json: { code: "OUTCOME_UNKNOWN" } });
    if (health !== undefined)
      expect(health.json).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN", error: sent.json["error"] });
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("The hub stops now");
    await eventually(async () => processesOf(agent.id).length === 0 || undefined, "its agent is ended");
    const again = launchHub({ home });
    expect((await again.ended).code).toBe(1);
    expect(again.stderr()).toMatch(/"code":"DATA_UNUSABLE"/);
    expect(again.stderr()).toMatch(/read-only/);
    const byCli = await huddle(home, "up");
    expect(byCli.code).toBe(1);
    expect(byCli.stderr).toMatch(/read-only/);
  } finally {
    await yard.clear();
    disk.unmount();
  }
});

test("a hub in the background, whose log is on that disk, answers before it ends", async ({ skip }) => {
  const disk = mountLoopDisk();
  if (typeof disk === "string") return skip(disk);
  try {
    const home = join(disk.folder, "home");
    await huddle(home, "up", "--port", "0", "--timeout", "5m");
    const hub = await yard.startAgain(home);
    await withAnn(hub);
    disk.turnReadOnly();

    const sent = await huddle(home, "send", "ann", "after");

    expect(sent.code).toBe(1);
    expect(sent.stderr).toMatch(/may or may not be stored.*--id/s);
    await hub.ended;
  } finally {
    await yard.clear();
    disk.unmount();
  }
});

describe("after", () => {
  test.each([
    ["its folder was moved", (home: string) => renameSync(home, `${home}-moved`)],
    ["its write-ahead log was removed", (home: string) => rmSync(join(home, "huddle.db-wal"))],
    [
      "its database was replaced",
      (home: string) => {
        writeFileSync(join(home, "other"), readFileSync(join(home, "huddle.db")), { mode: 0o600 });
        renameSync(join(home, "other"), join(home, "huddle.db"));
      },
    ],
  ])("%s it refuses all mail, says why and ends", async (_, damage) => {
    const home = join(yard.home(), "home");
    const hub = await yard.start({ home });
    const ann = await withAnn(hub);
    await ann.send("ben", "before");
    // The hub finds this when it wakes: its last look was more than the 250 ms ago for which it trusts that.
    signalProcess(hub.pid, "SIGSTOP");
    damage(home);
    const first = ann.send("ben", "anyone there?");
    await sleep(300);
    signalProcess(hub.pid, "SIGCONT");
    expect((await first).json).toMatchObject({ code: "DATA_UNUSABLE" });
    const answers = await sendUntilGone(ann, hub);
    const { code, stderr } = await endOf(hub);

    expect(code, stderr).toBe(1);
    expect(stderr).toContain(join(home, "huddle.db"));
    expect(stderr).toMatch(/was removed or replaced/);
    // From the first refusal on, nothing is accepted.
    expect(answers.filter((answer) => answer.code !== "DATA_UNUSABLE")).toEqual([]);
    rmSync(`${home}-moved`, { recursive: true, force: true });
  });

  test("its folder was removed it notices without any mail", async () => {
    const home = join(yard.home(), "home");
    const hub = await yard.start({ home });
    removeUnder(home);

    const { code, stderr } = await endOf(hub);

    expect(code).toBe(1);
    expect(stderr).toMatch(/was removed or replaced/);
    expect(existsSync(home)).toBe(false);
  });
});

test("a hub.json that is removed or damaged while the hub runs is written again, and one that cannot be removed keeps no hub alive", async () => {
  const hub = await yard.start();
  const damages = [(file: string) => rmSync(file), (file: string) => writeFileSync(file, '{"url":')];
  for (const damage of damages) {
    damage(join(hub.home, "hub.json"));

    await eventually(
      async () => (await huddle(hub.home, "status")).code === 0 || undefined,
      "it is found again",
    );
  }
  rmSync(join(hub.home, "hub.json"));
  mkdirSync(join(hub.home, "hub.json"));
  setTimeout(() => void hub.kill(), ENDS_MS).unref();

  const { code, signal, stderr } = await hub.stop();

  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(stderr).toContain("hub.json");
});

test("a full disk is in health and in status while it lasts, and the hub goes on", async ({ skip }) => {
  const disk = mountSmallDisk(64 * 1024 * 1024);
  if (typeof disk === "string") return skip(disk);
  try {
    const home = join(disk.folder, "home");
    const hub = await yard.start({ home, set: ["journal.reserve=128MiB"] });
    const register = () => hub.http.call("POST", "/api/agents", { token: hub.join, body: { name: "ann" } });
    const health = async () => (await hub.http.call("GET", "/api/health", { token: hub.operator })).json;

    const refused = await register();
    const full = await health();
    const status = await huddle(home, "status");
    disk.grow(512 * 1024 * 1024);

    expect(refused).toMatchObject({ status: 507, json: { code: "STORAGE_FULL" } });
    expect(full).toMatchObject({ ok: false, code: "STORAGE_FULL", error: refused.json["error"] });
    expect(status).toMatchObject({ code: 1, stdout: matching(/^problem +.*is full/m) });
    expect((await register()).status).toBe(201);
    expect(await health()).toMatchObject({ ok: true });
    expect(await health()).not.toHaveProperty("code");
    expect((await huddle(home, "status")).code).toBe(0);
  } finally {
    await yard.clear();
    disk.unmount();
  }
});
