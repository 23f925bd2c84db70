// `huddle doctor` inside the hub, for the desk. PROTOCOL.md, 7.9.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { tempFolder } from "../fakes/temp-folder.js";

const yard = createHubYard();
afterAll(() => yard.clear());

type Found = { check: string; state: string; text: string; fix: string | null; fixable: boolean };
type Doctor = { running: boolean; result: { at: string; ok: boolean; findings: Found[] } | null };

/** A home with these programs on the hub's PATH; each notes that it was run. */
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
  return { runs, env: { PATH: `${folder}:/usr/bin:/bin`, HOME: tempFolder() } };
}

async function ask(hub: HubProcess, method: "GET" | "POST"): Promise<Doctor> {
  const { status, json } = await hub.http.call(method, "/api/doctor", { token: hub.operator });
  expect(status).toBe(method === "GET" ? 200 : 202);
  return json as Doctor;
}

async function examine(hub: HubProcess) {
  await ask(hub, "POST");
  return eventually(async () => {
    const { running, result } = await ask(hub, "GET");
    return running || result === null ? undefined : result;
  }, "the end of the checks");
}

test("it runs when it is asked to, and says what doctor would, with the command that fixes each problem", async () => {
  const { env, runs } = programs({ codex: "echo codex-cli 0.166.0" });
  const hub = await yard.start({ env });
  expect(await ask(hub, "GET")).toEqual({ running: false, result: null });
  expect(runs("codex")).toEqual([]);

  const well = await examine(hub);

  expect(well.ok).toBe(true);
  expect(well.findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["node", "hub", "store", "disk", "configuration", "permissions", "orphans"]),
  );
  expect(well.findings).toContainEqual({
    check: "codex",
    state: "note",
    text: "0.166.0, not connected",
    fix: "huddle connect codex",
    fixable: false,
  });

  const token = join(hub.home, "token");
  chmodSync(token, 0o644);
  const broken = await examine(hub);
  expect(broken.ok).toBe(false);
  expect(broken.findings.filter(({ state }) => state === "problem")).toMatchObject([
    { check: "permissions", fix: `chmod 600 ${token}`, fixable: true },
  ]);
  expect(runs("codex")).toEqual(["--version", "--version"]);
});

test("an entry that a CLI has of this hub is tried, and nobody is registered for that", async () => {
  const { env } = programs({ codex: "echo codex-cli 0.166.0" });
  const hub = await yard.start({ env });
  const folder = join(env.HOME, ".codex");
  mkdirSync(folder);
  const bridge = join(process.cwd(), "dist", "mcp-bridge.cjs");
  const entry = (command: string) =>
    writeFileSync(
      join(folder, "config.toml"),
      `[mcp_servers.huddle]\ncommand = "${command}"\nargs = ["${bridge}"]\nenv = { HUDDLE_HOME = "${hub.home}" }\n`,
    );
  entry(process.execPath);
  const well = await examine(hub);
  expect(well.findings.find(({ check }) => check === "codex")?.text).toMatch(/connected, answers in \d+ ms$/);
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  expect(json["agents"]).toEqual([]);

  entry("/opt/gone/node");
  expect((await examine(hub)).findings.find(({ check }) => check === "codex")).toMatchObject({
    state: "problem",
    text: "0.166.0, connected, but /opt/gone/node is missing",
    fix: "huddle connect codex",
  });
});

test("whoever asks while it runs starts no second one; a hub that stops ends what runs", async () => {
  const { env, runs } = programs({ codex: "exec sleep 600" });
  const hub = await yard.start({ env });
  await ask(hub, "POST");
  await eventually(async () => (runs("codex").length > 0 ? true : undefined), "codex is asked");

  expect(await ask(hub, "POST")).toEqual({ running: true, result: null });
  expect(runs("codex")).toHaveLength(1);

  expect((await hub.stop()).code).toBe(0);
});

test("agents and those who only may join can neither read nor run it", async () => {
  const { env, runs } = programs({ codex: "echo codex-cli 0.166.0" });
  const hub = await yard.start({ env });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  for (const token of [ann.token, hub.join])
    for (const method of ["GET", "POST"] as const)
      expect((await hub.http.call(method, "/api/doctor", { token })).status).toBe(403);
  expect(runs("codex")).toEqual([]);
});
