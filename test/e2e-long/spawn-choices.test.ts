import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { patientCli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* PROTOCOL 20.15 and 20.16: what a person chooses from when they start an agent. */

const yard = createHubYard();
afterAll(() => yard.clear());

type Backend = {
  name: string;
  label: string;
  installed: boolean;
  version: string | null;
  checking: boolean;
  install: string | null;
  runtime: string | null;
  path: string | null;
  models: string[];
  runtimes: { runtime: string; works: boolean; reason: string | null }[];
};

/** A folder for PATH with programs that say what they are told to; each notes that it was run. */
function programs(said: Record<string, string>) {
  const folder = tempFolder();
  for (const [name, script] of Object.entries(said)) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$*" >> "$0.ran"\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const runs = (name: string) => {
    const file = join(folder, `${name}.ran`);
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
  return { folder, runs, env: { PATH: `${folder}:/usr/bin:/bin` } };
}

async function backendsOf(hub: HubProcess): Promise<Map<string, Backend>> {
  const { status, json } = await hub.http.call("GET", "/api/backends", { token: hub.operator });
  expect(status).toBe(200);
  return new Map((json["backends"] as Backend[]).map((backend) => [backend.name, backend]));
}

describe("backends", () => {
  test("what is installed is told with its version, what is not with the command that installs it", async () => {
    const { folder, env, runs } = programs({
      claude: "echo '2.1.325 (Claude Code)'",
      codex: "exit 1",
      "my-cli": "echo 1.2.3",
    });
    const hub = await yard.start({ env, set: ["default_backend=codex", "backends.mine.command=my-cli"] });

    const found = await eventually(async () => {
      const all = await backendsOf(hub);
      return [...all.values()].some(({ checking }) => checking) ? undefined : all;
    }, "the versions");

    expect(found.get("claude-code")).toMatchObject({
      label: "Claude Code",
      installed: true,
      path: join(folder, "claude"),
      version: "2.1.325",
      permissions: "ask",
      tools: "huddle",
      worktree: false,
    });
    expect(found.get("codex")).toMatchObject({ installed: true, version: null });
    expect(found.get("droid")).toMatchObject({
      installed: false,
      path: null,
      version: null,
      runtime: null,
      install: "npm i -g droid",
    });
    expect(found.get("claude-code")?.runtimes.find(({ runtime }) => runtime === "acp")).toMatchObject({
      works: false,
      reason: "claude-agent-acp is not installed",
    });
    await backendsOf(hub);
    expect(runs("claude")).toEqual(["--version"]);
    const { json } = await hub.http.call("GET", "/api/backends", { token: hub.operator });
    expect(json["default"]).toBe("codex");
    // One of the person's own is not run to be asked.
    expect(found.get("mine")).toMatchObject({ label: "mine", version: null, checking: false });
    expect(runs("my-cli")).toEqual([]);
    await hub.kill();
  });

  test("a CLI that never says its version keeps nobody waiting, and ends with the hub", async () => {
    const { env, runs } = programs({ claude: "exec sleep 600" });
    const hub = await yard.start({ env });

    const [first, health] = await Promise.all([
      backendsOf(hub),
      hub.http.call("GET", "/api/health", { token: hub.operator }),
    ]);

    expect(first.get("claude-code")).toMatchObject({ installed: true, version: null, checking: true });
    expect(health.status).toBe(200);
    await eventually(async () => (runs("claude").length > 0 ? true : undefined), "the question");
    expect((await hub.stop()).code).toBe(0);
  });

  test("models that agents were given lately are offered again", async () => {
    const hub = await startHostingHub(yard);
    for (const model of ["small", "large", "small"]) await spawnAgent(hub, { project: tempFolder(), model });

    expect((await backendsOf(hub)).get("scripted")?.models).toEqual(["small", "large"]);
  });

  test("huddle backends is a table of that", async () => {
    const { env } = programs({ claude: "sleep 1.5; echo 2.1.325" });
    const hub = await yard.start({ env });

    const { code, stdout } = await patientCli(["backends"], { env: { HUDDLE_HOME: hub.home } });

    expect(code).toBe(0);
    const [head, first, ...rest] = stdout.split("\n");
    expect(head).toMatch(/^BACKEND +VERSION +RUNS BY +TO DO$/);
    expect(first).toMatch(/^claude-code +2\.1\.325 +\w+ +claude-agent-acp is not installed: npm i -g /);
    expect(rest.find((line) => line.startsWith("droid"))).toMatch(/– +– +npm i -g droid$/);
  });
});

type Folders = {
  path: string | null;
  parent: string | null;
  git: boolean;
  cut: number;
  folders: { name: string; path: string; git: boolean }[];
  roots: string[];
  recent: { path: string; git: boolean }[];
};

describe("folders", () => {
  let root: string;
  let outside: string;
  let hub: HubProcess;

  beforeAll(async () => {
    const home = yard.home();
    root = join(home, "work");
    outside = join(home, "private");
    for (const name of ["shop/.git", "shop/src", "zebra", "Älter", ".hidden", "many"])
      mkdirSync(join(root, name), { recursive: true });
    mkdirSync(join(outside, "diary"), { recursive: true });
    writeFileSync(join(root, "a-file"), "");
    symlinkSync(outside, join(root, "way-out"));
    symlinkSync(join(root, "shop"), join(root, "way-in"));
    symlinkSync(join(root, "nowhere"), join(root, "broken"));
    for (let n = 0; n < 510; n++) mkdirSync(join(root, "many", `n-${String(n).padStart(3, "0")}`));
    hub = await startHostingHub(yard, { set: [`allowed_roots=${JSON.stringify([root])}`] });
  });

  const ask = (path?: string) =>
    hub.http.call("GET", `/api/folders${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`, {
      token: hub.operator,
    });
  const list = async (path?: string) => (await ask(path)).json as unknown as Folders;

  test("a root shows its folders: no files, nothing hidden, nothing that a link leads out to", async () => {
    const { folders, parent, path, git, cut } = await list(root);

    expect({ path, parent, git, cut }).toEqual({ path: root, parent: null, git: false, cut: 0 });
    expect(folders.map(({ name, git: tree }) => `${name}${tree ? " (git)" : ""}`)).toEqual([
      "Älter",
      "many",
      "shop (git)",
      "way-in (git)",
      "zebra",
    ]);
  });

  test("a folder below it knows the way up", async () => {
    expect(await list(join(root, "shop"))).toMatchObject({
      parent: root,
      git: true,
      folders: [{ name: "src", path: join(root, "shop", "src"), git: false }],
    });
  });

  test("too many are cut, and the number is told", async () => {
    const { folders, cut } = await list(join(root, "many"));

    expect({ shown: folders.length, cut }).toEqual({ shown: 500, cut: 10 });
  });

  test.each([
    ["a folder outside", () => outside, 403, "PROJECT_NOT_ALLOWED"],
    ["the way out by a link", () => join(root, "way-out"), 403, "PROJECT_NOT_ALLOWED"],
    ["the way out by dots", () => join(root, "..", "private"), 403, "PROJECT_NOT_ALLOWED"],
    ["the way out by dots that are kept", () => `${root}/shop/../../private`, 403, "PROJECT_NOT_ALLOWED"],
    ["the root of all", () => "/", 403, "PROJECT_NOT_ALLOWED"],
    ["a file", () => join(root, "a-file"), 400, "INVALID_INPUT"],
    ["nothing", () => join(root, "nowhere"), 400, "INVALID_INPUT"],
    ["a relative path", () => "work", 400, "INVALID_INPUT"],
  ])("%s is refused", async (_, path, status, code) => {
    expect(await ask(path())).toMatchObject({ status, json: { code } });
  });

  test("without a path: the roots, and where agents worked lately", async () => {
    await spawnAgent(hub, { name: "one", project: join(root, "zebra") });
    await spawnAgent(hub, { name: "two", project: join(root, "shop") });
    await hub.http.call("POST", "/api/agents/one/kill", { token: hub.operator });

    const { roots, recent, folders, path } = await list();

    expect({ roots, folders, path }).toEqual({ roots: [root], folders: [], path: null });
    expect(recent).toEqual([
      { name: "shop", path: join(root, "shop"), git: true },
      { name: "zebra", path: join(root, "zebra"), git: false },
    ]);
  });
});
