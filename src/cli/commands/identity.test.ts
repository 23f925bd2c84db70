import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli } from "../../../test/fakes/run-cli.js";
import { type Script, scriptedHub } from "../../../test/fakes/scripted-hub.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";

const registers: Script = ({ method, body }) =>
  method === "POST"
    ? { status: 201, json: { id: "1", name: (body as { name: string }).name, token: "hud_agent_x" } }
    : { status: 204 };

async function place(script: Script = registers) {
  const home = tempFolder();
  const hub = await scriptedHub(script);
  const env = { HUDDLE_HOME: home, HUDDLE_URL: hub.url, HUDDLE_TOKEN: "hud_operator_x" };
  const run = (...argv: string[]) => cli(["identity", ...argv], { env });
  return { home, hub, run, file: join(home, "identities", "orch.json") };
}

test("identity registers an agent and writes what a bridge needs, for this user only", async () => {
  const { hub, run, file } = await place();
  const { code, stdout } = await run("orch", "--role", "orchestrator");
  expect([code, stdout]).toEqual([0, `✓ orch: ${file}\n`]);
  expect(hub.calls).toMatchObject([{ path: "/api/agents", body: { name: "orch", role: "orchestrator" } }]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    url: hub.url,
    name: "orch",
    token: "hud_agent_x",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a name that is taken gets a number, and its file is named after it", async () => {
  const { home, run } = await place(() => ({ status: 201, json: { id: "1", name: "orch-2", token: "t" } }));
  const { stdout } = await run("orch", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ name: "orch-2", file: join(home, "identities", "orch-2.json") });
});

test("a file that exists is not replaced, and nobody is registered", async () => {
  const { hub, run } = await place();
  await run("orch");
  const again = await run("orch");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("--out");
  expect(hub.calls).toHaveLength(1);
});

test("an agent whose file cannot be written does not stay", async () => {
  const { hub, run } = await place();
  const { code, stderr } = await run("orch", "--out", "/dev/null/x");
  expect(code).toBe(1);
  expect(stderr).toContain("/dev/null/x cannot be written");
  expect(hub.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/agents",
    "DELETE /api/agents/1",
  ]);
});

test("in a team its file has the team's name, too: names are the team's own", async () => {
  const { hub, home, run } = await place();
  const { stdout } = await run("orch", "--team", "alpha", "--json");
  expect(hub.calls).toMatchObject([{ body: { name: "orch", team: "alpha" } }]);
  expect(JSON.parse(stdout)).toMatchObject({ file: join(home, "identities", "alpha.orch.json") });
  expect((await run("orch", "--team", "Alpha")).code).toBe(2);
});

test("a wrong role or name is refused before anything happens", async () => {
  const { hub, run } = await place();
  expect((await run("orch", "--role", "boss")).code).toBe(2);
  expect((await run("../orch")).code).toBe(2);
  expect(hub.calls).toEqual([]);
});
