// `huddle doctor` on set-ups that are broken on purpose. PROTOCOL.md, 13.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DaemonPort } from "../../src/cli/cli-io.js";
import { isProcessAlive } from "../../src/cli/process-alive.js";
import { daemon } from "../../src/daemon/daemon.js";
import { connectPlace } from "../fakes/connect-place.js";
import { eventually } from "../fakes/hosting-hub.js";
import type { CliWorld } from "../fakes/run-cli.js";

type Found = { check: string; state: string; text: string; fix: string | null; fixed: boolean };

/** The daemon's part reads the environment of its process, which is this one. */
function doctorPlace(clis: Parameters<typeof connectPlace>[0] = ["codex"]) {
  const place = connectPlace(clis);
  const before = process.env["HUDDLE_HOME"];
  process.env["HUDDLE_HOME"] = place.data;
  onTestFinished(() => {
    if (before === undefined) delete process.env["HUDDLE_HOME"];
    else process.env["HUDDLE_HOME"] = before;
  });
  const port: DaemonPort = daemon;
  const run = (argv: string[], world: CliWorld = {}) => place.run(argv, { ...world, daemon: port });
  async function doctor(...flags: string[]) {
    const { code, stdout } = await run(["doctor", "--json", ...flags]);
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Found[] };
    return { code, ok, findings, problems: findings.filter(({ state }) => state === "problem") };
  }
  return { ...place, run, doctor };
}

test("a set-up that is well has no problems, with a hub and without one; nothing is started for it", async () => {
  const { run, doctor, data } = doctorPlace(["claude", "codex"]);

  const fresh = await doctor();
  expect(fresh).toMatchObject({ code: 0, ok: true, problems: [] });
  expect(fresh.findings).toContainEqual(
    expect.objectContaining({
      check: "codex",
      state: "note",
      text: "0.166.0, not connected",
      fix: "huddle connect codex",
    }),
  );
  expect(existsSync(join(data, "hub.json"))).toBe(false);

  await run(["connect", "--yes"]);
  const up = await doctor();
  expect(up).toMatchObject({ code: 0, ok: true, problems: [] });
  for (const check of ["claude", "codex"])
    expect(up.findings.find((one) => one.check === check)?.text).toMatch(/connected, answers in \d+ ms$/);
  expect(up.findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["node", "hub", "version", "store", "disk", "configuration", "permissions"]),
  );
  expect(JSON.parse((await run(["agents", "--json"])).stdout)).toMatchObject({ agents: [] });
});

test("permissions that are too wide are found, with the command that closes them, and fixed", async () => {
  const { run, doctor, data } = doctorPlace();
  await run(["up"]);
  await run(["down"]);
  chmodSync(join(data, "token"), 0o644);
  chmodSync(data, 0o777);

  const found = await doctor();
  expect(found.code).toBe(8);
  expect(found.problems.map(({ fix }) => fix)).toEqual([
    `chmod 700 ${data}`,
    `chmod 600 ${join(data, "token")}`,
  ]);

  expect(await doctor("--fix")).toMatchObject({
    code: 0,
    ok: true,
    problems: [{ fixed: true }, { fixed: true }],
  });
  expect(statSync(join(data, "token")).mode & 0o777).toBe(0o600);
  expect(await doctor()).toMatchObject({ code: 0, problems: [] });
});

test("a port that is taken is found with who has it", async () => {
  const { doctor, data } = doctorPlace();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  writeFileSync(join(data, "huddle.yaml"), `port: ${port}\n`);

  const { code, problems } = await doctor();

  expect(code).toBe(8);
  expect(problems).toMatchObject([{ check: "port", fix: "huddle up --port 0" }]);
  expect(problems[0]?.text).toContain(`Port ${port} is taken by`);
  if (process.platform === "linux") expect(problems[0]?.text).toContain(`(pid ${process.pid})`);
});

test("what a killed hub left, and a lock that is none, are found and put away", async () => {
  const { doctor, data } = doctorPlace();
  writeFileSync(join(data, "hub.json"), '{"url":"http://127.0.0.1:1","pid":999999}');
  writeFileSync(join(data, "token"), `hud_operator_${"A".repeat(43)}\n`, { mode: 0o600 });

  expect((await doctor()).problems).toMatchObject([{ check: "lock", fix: `rm ${join(data, "hub.json")}` }]);
  expect(await doctor("--fix")).toMatchObject({ code: 0 });
  expect(existsSync(join(data, "hub.json"))).toBe(false);

  writeFileSync(
    join(data, "huddle.lock"),
    "junk that is not a database at all, and long enough to be looked at\n".repeat(20),
  );
  expect((await doctor()).problems).toMatchObject([{ check: "lock" }]);
  expect(await doctor("--fix")).toMatchObject({ code: 0 });
  expect(existsSync(join(data, "huddle.lock.old"))).toBe(true);
});

test("what kill -9 of a hub leaves is found with its pid and put away; the next hub needs nobody for that", async () => {
  const { run, doctor, data } = doctorPlace();
  const hubFile = join(data, "hub.json");
  const pidOf = () => (JSON.parse(readFileSync(hubFile, "utf8")) as { pid: number }).pid;
  await run(["up"]);
  const pid = pidOf();
  process.kill(pid, "SIGKILL");
  await eventually(async () => (isProcessAlive(pid) ? undefined : true), "it is gone");

  expect((await doctor()).problems).toMatchObject([
    {
      check: "lock",
      text: `A hub that was killed (pid ${pid}) left ${hubFile} behind`,
      fix: `rm ${hubFile}`,
    },
  ]);
  expect((await doctor("--fix")).code).toBe(0);
  expect(existsSync(hubFile)).toBe(false);

  await run(["up"]);
  process.kill(pidOf(), "SIGKILL");
  expect(await run(["up"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ Huddle is up/) as unknown,
  });
  expect(await doctor()).toMatchObject({ code: 0, problems: [] });
});

test("a damaged journal is found while no hub runs", async () => {
  const { doctor, data } = doctorPlace();
  writeFileSync(join(data, "huddle.db"), Buffer.alloc(8192, 7));

  expect((await doctor()).problems).toMatchObject([{ check: "store", fix: "huddle rebuild" }]);
});

test("a configuration that cannot be used is named, with the file to edit", async () => {
  const { doctor, data } = doctorPlace();
  writeFileSync(join(data, "huddle.yaml"), "prot: 1\n");

  const { problems } = await doctor();

  expect(problems).toMatchObject([{ check: "configuration" }]);
  expect(problems[0]?.fix).toContain(join(data, "huddle.yaml"));
});

test("an entry whose program is gone is found, and connected again", async () => {
  const { run, doctor, read, write } = doctorPlace();
  await run(["connect", "--yes"]);
  write(".codex/config.toml", read(".codex/config.toml").replace(process.execPath, "/opt/gone/node"));

  expect((await doctor()).problems).toMatchObject([
    {
      check: "codex",
      text: "0.166.0, connected, but /opt/gone/node is missing",
      fix: "huddle connect codex",
    },
  ]);
  expect(await doctor("--fix")).toMatchObject({ code: 0 });
  expect(read(".codex/config.toml")).toContain(`command = "${process.execPath}"`);
});

test("a CLI that was connected and is gone, and a machine without any, are told how to get one", async () => {
  const { run, doctor, home } = doctorPlace(["codex"]);
  await run(["connect", "--yes"]);
  rmSync(join(home, "bin", "codex"));

  expect((await doctor()).problems).toMatchObject([
    { check: "codex", fix: "npm i -g @openai/codex" },
    { check: "CLIs", text: "No agent CLI is on your PATH" },
  ]);
});

test("for people each line has its mark, and each problem its command", async () => {
  const { run, data } = doctorPlace();
  writeFileSync(join(data, "hub.json"), '{"url":"http://127.0.0.1:1","pid":999999}');
  writeFileSync(join(data, "token"), `hud_operator_${"A".repeat(43)}\n`, { mode: 0o600 });

  const { code, stdout } = await run(["doctor"]);

  expect(code).toBe(8);
  expect(stdout).toMatch(/^✓ node: /m);
  expect(stdout).toMatch(/^– hub: not running\n {2}To have it: huddle up$/m);
  expect(stdout).toMatch(/^✗ lock: A hub that was killed \(pid 999999\) left .*\n {2}Fix it: rm /m);
  expect(stdout).toMatch(/1 problem found\. huddle doctor --fix fixes it\.\n$/);
});
