import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GitProject, gitProject } from "../fakes/git-project.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { cli } from "../fakes/run-cli.js";

let yard: HubYard;
let project: GitProject;
beforeEach(() => {
  yard = createHubYard();
  project = gitProject();
});
afterEach(() => yard.clear());

const timeout = 120_000;

type Row = { name: string; state: string; files: number | null };
type TaskView = {
  task_id: string;
  status: string;
  error: string | null;
  worktree: Record<string, unknown> | null;
};

async function assign(
  hub: HubProcess,
  prompt: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const body = { backend: "scripted", project: project.folder, worktree: true, prompt, ...fields };
  const { status, json, text } = await hub.http.call("POST", "/api/tasks", { token: hub.operator, body });
  if (status !== 201) throw new Error(`not assigned: ${text}`);
  return String(json["task_id"]);
}

function ended(hub: HubProcess, task: string): Promise<TaskView> {
  return eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/tasks/${task}`, { token: hub.operator });
    return json["ended"] === null ? undefined : (json as TaskView);
  }, `${task} has ended`);
}

async function worktrees(hub: HubProcess): Promise<Row[]> {
  const { json } = await hub.http.call("GET", "/api/worktrees", { token: hub.operator });
  return json["worktrees"] as Row[];
}

/** None is left that an agent works in, or is about to. */
function settled(hub: HubProcess): Promise<Row[]> {
  return eventually(async () => {
    const rows = await worktrees(hub);
    return rows.every(({ state }) => state === "kept") ? rows : undefined;
  }, "all worktrees are kept or gone");
}

const huddle = (hub: HubProcess, ...argv: string[]) => cli(argv, { env: { HUDDLE_HOME: hub.home } });

test("two tasks at once write in one project without seeing each other, and both are merged", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const tasks = await Promise.all([
    assign(hub, "!put a.txt from a !say done", { name: "a" }),
    assign(hub, "!put b.txt from b !say done", { name: "b" }),
  ]);
  const done = await Promise.all(tasks.map((task) => ended(hub, task)));
  for (const [i, name] of ["a", "b"].entries()) {
    const path = join(project.folder, ".huddle", "worktrees", name);
    const result = {
      branch: `huddle/${name}`,
      path,
      kept: true,
      commits: 0,
      files: 1,
      insertions: 1,
      deletions: 0,
    };
    expect(done[i]).toMatchObject({ status: "done", worktree: result });
    expect(existsSync(join(path, "a.txt"))).toBe(name === "a");
    expect(existsSync(join(project.folder, `${name}.txt`))).toBe(false);
  }
  expect(await settled(hub)).toMatchObject([
    { name: "a", state: "kept", files: 1 },
    { name: "b", state: "kept", files: 1 },
  ]);
  expect((await huddle(hub, "worktree")).stdout).toMatch(/^a .*kept .*0 commits, 1 file/m);
  expect((await huddle(hub, "worktree", "diff", "a")).stdout).toContain("+from a");
  expect((await huddle(hub, "worktree", "merge", "a")).stderr).toContain("not committed");
  for (const name of ["a", "b"]) {
    const path = join(project.folder, ".huddle", "worktrees", name);
    execFileSync("git", ["-C", path, "add", "-A"]);
    execFileSync("git", ["-C", path, "commit", "--quiet", "-m", name]);
    expect(await huddle(hub, "worktree", "merge", name)).toMatchObject({ code: 0 });
    expect(await huddle(hub, "worktree", "rm", name)).toMatchObject({ code: 0 });
  }
  expect(readFileSync(join(project.folder, "b.txt"), "utf8")).toBe("from b\n");
  expect(await worktrees(hub)).toEqual([]);
  expect(project.git("branch", "--list")).toBe("* main");
});

test("a task that changed nothing says so, and leaves nothing", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const task = await ended(hub, await assign(hub, "!say nothing to do"));
  expect(task).toMatchObject({
    status: "done",
    worktree: { branch: "huddle/scripted", kept: false, files: 0 },
  });
  expect(await settled(hub)).toEqual([]);
  expect(existsSync(join(project.folder, ".huddle"))).toBe(false);
  expect(project.git("branch", "--list")).toBe("* main");
});

test("a task that is cancelled or fails names what its agent left", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const written = (name: string) =>
    existsSync(join(project.folder, ".huddle", "worktrees", name, "half.txt"));
  const cancelled = await assign(hub, "!put half.txt half !hang", { name: "one" });
  await eventually(async () => written("one") || undefined, "it is written");
  await hub.http.call("POST", `/api/tasks/${cancelled}/cancel`, { token: hub.operator });
  const failed = await assign(hub, "!put half.txt half !say oh !exit 1", { name: "two" });
  expect(await ended(hub, failed)).toMatchObject({ status: "failed" });
  expect((await settled(hub)).map(({ name }) => name)).toEqual(["one", "two"]);
  for (const task of [cancelled, failed]) {
    expect(await ended(hub, task)).toMatchObject({ worktree: { kept: true, files: 1, insertions: 1 } });
  }
});

test("a task in a project that is no git repository fails with the reason, and no agent starts", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const task = await ended(hub, await assign(hub, "!say hello", { project: yard.home() }));
  expect(task).toMatchObject({ status: "failed", worktree: null });
  expect(task.error).toContain("not a git repository");
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  expect(json["agents"]).toEqual([]);
});

test("a spawn that git cannot serve is refused: 424", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  const body = { backend: "scripted", project: yard.home(), worktree: true };
  const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  expect(answer).toMatchObject({ status: 424, json: { code: "WORKTREE_FAILED" } });
});

test("without git the refusal says so", { timeout }, async () => {
  const bin = join(yard.home(), "bin");
  mkdirSync(bin);
  execFileSync("ln", ["-s", process.execPath, join(bin, "node")]);
  const hub = await startHostingHub(yard, { env: { PATH: bin } });
  const body = { backend: "scripted", project: project.folder, worktree: true };
  const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  expect(answer).toMatchObject({ status: 424, json: { code: "WORKTREE_FAILED" } });
  expect(answer.json["error"]).toContain("git is not installed");
});

test("an agent that is kept keeps its worktree, also with nothing in it, until it leaves", {
  timeout,
}, async () => {
  const hub = await startHostingHub(yard);
  const task = await ended(hub, await assign(hub, "!say hello", { keep: true, name: "stays" }));
  expect(task).toMatchObject({ status: "done", worktree: { kept: true, files: 0 } });
  expect(await worktrees(hub)).toMatchObject([{ name: "stays", state: "made" }]);
  expect((await huddle(hub, "worktree", "rm", "stays", "--force")).stderr).toContain("shut it down first");
  await huddle(hub, "kill", "stays");
  expect(await settled(hub)).toEqual([]);
});

test("checks of a task run in its worktree", { timeout }, async () => {
  const check = JSON.stringify(["test", "-f", "new.txt"]);
  const hub = await startHostingHub(yard, { set: [`checks.new=${check}`] });
  const id = await assign(hub, "!put new.txt x !say done", { checks: ["new"] });
  const permission = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
    return (json["permissions"] as { id: string }[])[0]?.id;
  }, "the check is to be approved");
  await huddle(hub, "approve", permission);
  expect(await ended(hub, id)).toMatchObject({ status: "done", worktree: { kept: true, files: 1 } });
});

describe("worktree.setup", () => {
  const setup = (...argv: string[]) => ({ set: [`worktree.setup=${JSON.stringify(argv)}`] });
  const asked = (hub: HubProcess) =>
    eventually(async () => {
      const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
      return (json["permissions"] as { id: string; title: string }[])[0];
    }, "worktree.setup is to be approved");

  test("runs in the new worktree once the person allows it, and from then on without asking", {
    timeout,
  }, async () => {
    const hub = await startHostingHub(yard, setup("sh", "-c", "echo ready >ready.txt"));
    const first = await assign(hub, "!say done", { name: "one" });
    const permission = await asked(hub);
    expect(permission.title).toContain("worktree.setup: sh -c");
    expect(existsSync(join(project.folder, ".huddle", "worktrees", "one", "ready.txt"))).toBe(false);
    // Who asks for the task sees what it waits for.
    const waiting = await hub.http.call("GET", `/api/tasks/${first}`, { token: hub.operator });
    expect(waiting.json).toMatchObject({
      status: "waiting",
      waits_for: "the person to allow worktree.setup to run",
    });
    expect((await huddle(hub, "task", "show", first)).stdout).toContain("It waits for the person to allow");
    expect((await huddle(hub, "task", "list", "--status", "waiting")).stdout).toContain(first.slice(-6));
    await huddle(hub, "approve", permission.id, "--always");
    expect(await ended(hub, first)).toMatchObject({ status: "done", worktree: { files: 1 } });
    expect(await ended(hub, await assign(hub, "!say done", { name: "two" }))).toMatchObject({
      status: "done",
    });
    await spawnAgent(hub, { project: project.folder, worktree: true, name: "three" });
    expect(existsSync(join(project.folder, ".huddle", "worktrees", "three", "ready.txt"))).toBe(true);
  });

  test("is named with what allows it where a spawn would need it, and can be taken back", {
    timeout,
  }, async () => {
    const hub = await startHostingHub(yard, setup("sh", "-c", "echo ready >ready.txt"));
    const spawn = (name: string) =>
      huddle(hub, "spawn", "scripted", "--name", name, "-C", project.folder, "--worktree");

    const refused = await spawn("one");
    const allow = ["checks", "allow", "worktree.setup", "--project", project.folder];
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`huddle checks allow worktree.setup --project '${project.folder}'`);
    expect((await huddle(hub, "checks")).stdout).toMatch(/worktree\.setup .*nowhere yet/);

    expect((await huddle(hub, ...allow)).stdout).toContain("from now on without asking you");
    expect(await spawn("two")).toMatchObject({ code: 0 });
    expect((await huddle(hub, "checks")).stdout).toContain(project.folder);
    expect((await huddle(hub, "checks", "forget", "worktree.setup")).stdout).toContain("asked again");
    expect(await spawn("three")).toMatchObject({ code: 1 });
    expect((await huddle(hub, "checks", "forget", "worktree.setup")).stdout).toContain("allowed nowhere");
    expect((await huddle(hub, "checks", "allow", "nothing")).stderr).toContain('No check is named "nothing"');
  });

  test("that is denied, fails or is not wanted any more leaves no worktree and starts no agent", {
    timeout,
  }, async () => {
    const hub = await startHostingHub(yard, setup("sh", "-c", "echo no such package; exit 3"));
    const denied = await assign(hub, "!say done");
    await huddle(hub, "deny", (await asked(hub)).id);
    expect((await ended(hub, denied)).error).toContain("did not allow it");
    const cancelled = await assign(hub, "!say done");
    await asked(hub);
    await hub.http.call("POST", `/api/tasks/${cancelled}/cancel`, { token: hub.operator });
    const failing = await assign(hub, "!say done");
    const permission = await eventually(async () => {
      const found = await asked(hub);
      return found.id.startsWith(failing) ? found : undefined;
    }, "it is asked for the last task");
    await huddle(hub, "approve", permission.id);
    expect((await ended(hub, failing)).error).toContain("ended with code 3: no such package");
    expect(await settled(hub)).toEqual([]);
    expect(project.git("branch", "--list")).toBe("* main");
    const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
    expect(json["agents"]).toEqual([]);
  });

  test("waits for approval across a kill of the hub", { timeout }, async () => {
    const home = yard.home();
    const start = () => startHostingHub(yard, { home, ...setup("sh", "-c", "echo ready >ready.txt") });
    const before = await start();
    const task = await assign(before, "!say done");
    await asked(before);
    await before.kill();
    const hub = await start();
    await huddle(hub, "approve", (await asked(hub)).id);
    expect(await ended(hub, task)).toMatchObject({ status: "done", worktree: { kept: true, files: 1 } });
  });
});

test("an agent spawns another one in a worktree of its own", { timeout }, async () => {
  const hub = await startHostingHub(yard);
  await spawnAgent(hub, { project: project.folder, name: "boss", tools: "huddle" });
  const tool = '!tool spawn_agent {"name":"kid","backend":"scripted","worktree":true}';
  await huddle(hub, "send", "boss", tool);
  const rows = await eventually(async () => {
    const found = await worktrees(hub);
    return found.some(({ state }) => state === "made") ? found : undefined;
  }, "kid has a worktree");
  expect(rows).toMatchObject([{ name: "kid", state: "made" }]);
});

/** HUDDLE_GIT_STEP=1, in the soak, has the hub killed at every one of them, which takes some minutes. */
const EVERY = Number(process.env["HUDDLE_GIT_STEP"] ?? 12);

describe("the hub is killed at some of its calls of git, and now and then again two calls later:", () => {
  test.each([
    ["a task that changes something is done, and its work is there", "!put new.txt x !say done", 1],
    ["a task that changes nothing is done, and leaves nothing", "!say done", 2],
  ])("%s", { timeout: 600_000 }, async (_, prompt, first) => {
    const changes = first === 1;
    const home = yard.home();
    const bin = join(yard.home(), "bin");
    mkdirSync(bin);
    const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    const calls = join(bin, "calls");
    // Every other call has the hub killed before git runs, which goes on, or right after it.
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh
n=$(($(wc -l <'${calls}') + 1)); echo "$*" >>'${calls}'
at=$(cat '${bin}/at')
again=$((at + 2)); [ $((at % 4)) = 1 ] || again=0
if [ $n != $at ] && [ $n != $again ]; then exec '${git}' "$@"; fi
if [ $((n % 2)) = 0 ]; then kill -9 $PPID; exec '${git}' "$@"; fi
'${git}' "$@"; code=$?; kill -9 $PPID; exit $code
`,
    );
    chmodSync(join(bin, "git"), 0o755);
    const start = () => startHostingHub(yard, { home, env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
    const restartWhenKilled = async (work: (hub: HubProcess) => Promise<void>) => {
      for (let lives = 1; ; lives++) {
        const hub = await start();
        const killed = hub.ended.then(() => "killed" as const);
        const done = work(hub).then(
          () => "done" as const,
          // A call that failed with the hub is made again.
          (error: unknown) => Promise.race([killed, sleep(2000).then(() => Promise.reject(error as Error))]),
        );
        const outcome = await Promise.race([done, killed]);
        if (outcome === "done") {
          await hub.kill();
          return lives;
        }
      }
    };

    let lives = 2;
    for (let at = first; lives > 1; at += EVERY) {
      writeFileSync(calls, "");
      writeFileSync(join(bin, "at"), String(at));
      lives = await restartWhenKilled(async (hub) => {
        const task = await ended(hub, await assign(hub, prompt, { id: `n-${at}`, name: `n-${at}` }));
        expect(task, `call ${at}`).toMatchObject({ status: "done", worktree: { kept: changes } });
        const rows = await settled(hub);
        expect(rows, `call ${at}`).toMatchObject(changes ? [{ state: "kept", files: 1 }] : []);
        for (const { name } of rows) {
          await hub.http.call("DELETE", `/api/worktrees/${name}?force=true`, { token: hub.operator });
        }
        expect(await worktrees(hub)).toEqual([]);
      });
      expect(project.git("branch", "--list", "huddle/*"), `call ${at}`).toBe("");
      expect(project.git("worktree", "list").split("\n"), `call ${at}`).toHaveLength(1);
      expect(existsSync(join(project.folder, ".huddle")), `call ${at}`).toBe(false);
    }
  });
});
