import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type GitProject, gitProject } from "../fakes/git-project.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
/** Shared: each test has a project and names of its own. */
let hub: HubProcess;
let project: GitProject;
beforeAll(async () => {
  const check = JSON.stringify(["test", "-f", "new.txt"]);
  hub = await startHostingHub(yard, { set: [`checks.new=${check}`] });
});
beforeEach(() => {
  project = gitProject();
});
afterAll(() => yard.clear());

type Row = { name: string; project: string; state: string; files: number | null };
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

/** Of this test's project. */
async function worktrees(hub: HubProcess): Promise<Row[]> {
  const { json } = await hub.http.call("GET", "/api/worktrees", { token: hub.operator });
  return (json["worktrees"] as Row[]).filter((row) => row.project === project.folder);
}

async function agentNames(hub: HubProcess): Promise<string[]> {
  const { json } = await hub.http.call("GET", "/api/agents?limit=1000", { token: hub.operator });
  return (json["agents"] as { name: string }[]).map(({ name }) => name);
}

/** None is left that an agent works in, or is about to. */
function settled(hub: HubProcess): Promise<Row[]> {
  return eventually(async () => {
    const rows = await worktrees(hub);
    return rows.every(({ state }) => state === "kept") ? rows : undefined;
  }, "all worktrees are kept or gone");
}

const huddle = (hub: HubProcess, ...argv: string[]) =>
  cli([...argv, "--timeout", "5m"], { env: { HUDDLE_HOME: hub.home } });

test("two tasks at once write in one project without seeing each other, and both are merged", async () => {
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

test("a task that changed nothing says so, and leaves nothing", async () => {
  const task = await ended(hub, await assign(hub, "!say nothing to do", { name: "unchanged" }));
  expect(task).toMatchObject({
    status: "done",
    worktree: { branch: "huddle/unchanged", kept: false, files: 0 },
  });
  expect(await settled(hub)).toEqual([]);
  expect(existsSync(join(project.folder, ".huddle"))).toBe(false);
  expect(project.git("branch", "--list")).toBe("* main");
});

test("a task that is cancelled or fails names what its agent left", async () => {
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

test("a task in a project that is no git repository fails with the reason, and no agent starts", async () => {
  const task = await ended(hub, await assign(hub, "!say hello", { project: yard.home(), name: "nowhere" }));
  expect(task).toMatchObject({ status: "failed", worktree: null });
  expect(task.error).toContain("not a git repository");
  expect(await agentNames(hub)).not.toContain("nowhere");
});

test("a spawn that git cannot serve is refused: 424", async () => {
  const body = { backend: "scripted", project: yard.home(), worktree: true };
  const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  expect(answer).toMatchObject({ status: 424, json: { code: "WORKTREE_FAILED" } });
});

test("without git the refusal says so", async () => {
  const bin = join(yard.home(), "bin");
  mkdirSync(bin);
  execFileSync("ln", ["-s", process.execPath, join(bin, "node")]);
  const hub = await startHostingHub(yard, { env: { PATH: bin } });
  const body = { backend: "scripted", project: project.folder, worktree: true };
  const answer = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  expect(answer).toMatchObject({ status: 424, json: { code: "WORKTREE_FAILED" } });
  expect(answer.json["error"]).toContain("git is not installed");
});

test("an agent that is kept keeps its worktree, also with nothing in it, until it leaves", async () => {
  const task = await ended(hub, await assign(hub, "!say hello", { keep: true, name: "stays" }));
  expect(task).toMatchObject({ status: "done", worktree: { kept: true, files: 0 } });
  expect(await worktrees(hub)).toMatchObject([{ name: "stays", state: "made" }]);
  expect((await huddle(hub, "worktree", "rm", "stays", "--force")).stderr).toContain("shut it down first");
  await huddle(hub, "kill", "stays");
  expect(await settled(hub)).toEqual([]);
});

test("checks of a task run in its worktree", async () => {
  const id = await assign(hub, "!put new.txt x !say done", { checks: ["new"] });
  const permission = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
    return (json["permissions"] as { id: string }[]).find((one) => one.id.startsWith(id))?.id;
  }, "the check is to be approved");
  await huddle(hub, "approve", permission);
  expect(await ended(hub, id)).toMatchObject({ status: "done", worktree: { kept: true, files: 1 } });
});

describe("worktree.setup", () => {
  const command = "cat broken 2>&1 && exit 3; echo ready >ready.txt";
  const home = yard.home();
  const start = () =>
    startHostingHub(yard, { home, set: [`worktree.setup=${JSON.stringify(["sh", "-c", command])}`] });
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await start();
  });

  const asked = (task: string) =>
    eventually(async () => {
      const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
      return (json["permissions"] as { id: string; title: string }[]).find(({ id }) => id.startsWith(task));
    }, `worktree.setup is to be approved for ${task}`);

  test("is named with what allows it where a spawn would need it, and can be taken back", async () => {
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

  test("runs in the new worktree once the person allows it, and from then on without asking", async () => {
    const first = await assign(hub, "!say done", { name: "first" });
    const permission = await asked(first);
    expect(permission.title).toContain("worktree.setup: sh -c");
    expect(existsSync(join(project.folder, ".huddle", "worktrees", "first", "ready.txt"))).toBe(false);
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
    expect(await ended(hub, await assign(hub, "!say done", { name: "second" }))).toMatchObject({
      status: "done",
    });
    await spawnAgent(hub, { project: project.folder, worktree: true, name: "third" });
    expect(existsSync(join(project.folder, ".huddle", "worktrees", "third", "ready.txt"))).toBe(true);
  });

  test("that is denied, fails or is not wanted any more leaves no worktree and starts no agent", async () => {
    project.commit("broken", "no such package");
    const names = ["denied", "cancelled", "failing"];
    const [denied, cancelled, failing] = [
      await assign(hub, "!say done", { name: "denied" }),
      await assign(hub, "!say done", { name: "cancelled" }),
      await assign(hub, "!say done", { name: "failing" }),
    ];
    await huddle(hub, "deny", (await asked(denied)).id);
    expect((await ended(hub, denied)).error).toContain("did not allow it");
    await asked(cancelled);
    await hub.http.call("POST", `/api/tasks/${cancelled}/cancel`, { token: hub.operator });
    await huddle(hub, "approve", (await asked(failing)).id);
    expect((await ended(hub, failing)).error).toContain("ended with code 3: no such package");
    expect(await settled(hub)).toEqual([]);
    expect(project.git("branch", "--list")).toBe("* main");
    expect((await agentNames(hub)).filter((name) => names.includes(name))).toEqual([]);
  });

  test("waits for approval across a kill of the hub", async () => {
    const task = await assign(hub, "!say done", { name: "patient" });
    await asked(task);
    await hub.kill();
    hub = await start();
    await huddle(hub, "approve", (await asked(task)).id);
    expect(await ended(hub, task)).toMatchObject({ status: "done", worktree: { kept: true, files: 1 } });
  });
});

test("an agent spawns another one in a worktree of its own", async () => {
  await spawnAgent(hub, { project: project.folder, name: "boss", tools: "huddle" });
  const tool = '!tool spawn_agent {"name":"kid","backend":"scripted","worktree":true}';
  await huddle(hub, "send", "boss", tool);
  const rows = await eventually(async () => {
    const found = await worktrees(hub);
    return found.some(({ state }) => state === "made") ? found : undefined;
  }, "kid has a worktree");
  expect(rows).toMatchObject([{ name: "kid", state: "made" }]);
});

/** Killed at the first, and so many later: an odd number, so that it is before a call and after one. HUDDLE_GIT_STEP=1, in the soak, has it killed at every one of them. */
const EVERY = Number(process.env["HUDDLE_GIT_STEP"] ?? 37);

describe("the hub is killed at some of its calls of git, and now and then again two calls later:", () => {
  test.each([
    ["a task that changes something is done, and its work is there", "!put new.txt x !say done", 1],
    ["a task that changes nothing is done, and leaves nothing", "!say done", 2],
  ])("%s", async (_, prompt, first) => {
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
        // It calls git as soon as it runs, and may be killed before it says that it does.
        const hub = await start().catch((error: unknown) => {
          if (!String(error).includes("(SIGKILL)")) throw error;
        });
        if (hub === undefined) continue;
        const killed = hub.ended.then(() => "killed" as const);
        const done = work(hub).then(
          () => "done" as const,
          // A call that failed with the hub is made again.
          (error: unknown) =>
            Promise.race([
              killed,
              sleep(PATIENCE_MS, undefined, { ref: false }).then(() => Promise.reject(error as Error)),
            ]),
        );
        const outcome = await Promise.race([done, killed]);
        if (outcome === "done") {
          await hub.kill();
          return lives;
        }
      }
    };

    let lives = 2;
    const last = EVERY === 1 ? Number.POSITIVE_INFINITY : first + EVERY;
    for (let at = first; lives > 1 && at <= last; at += EVERY) {
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
