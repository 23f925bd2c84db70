// `huddle top` in a real terminal, with a real hub and scripted agents. docs/command-line.md
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { openTopPane } from "../fakes/top-pane.js";

const yard = createHubYard();
/** Shared by those that need neither many agents nor a kill. */
let shared: HubProcess;
beforeAll(async () => {
  shared = await yard.start();
});
afterAll(() => yard.clear());

const names = ["api", "cart", "db", "docs", "infra", "janus", "mobile", "puppet", "review", "search"];

async function tell(hub: HubProcess, name: string, message: string): Promise<void> {
  const { status } = await hub.http.call("POST", `/api/agents/${name}/messages`, {
    token: hub.operator,
    body: { message },
  });
  expect(status).toBe(202);
}

async function permissionsOf(hub: HubProcess): Promise<unknown[]> {
  const { json } = await hub.http.call("GET", "/api/permissions", { token: hub.operator });
  return json["permissions"] as unknown[];
}

test("ten agents at work: one's output is followed, its permission is answered by a key, and the terminal is as before", async () => {
  const hub = await startHostingHub(yard, { set: ["presence.offline_after=24h"] });
  const project = yard.home();
  // One of them works; the others are only there.
  await spawnAgent(hub, { name: "cart", project });
  for (const name of names.filter((one) => one !== "cart")) await registerAgent(hub.http, hub.join, { name });
  const top = openTopPane(hub.home);
  const first = await top.shows(/● live {2}10 agents · /);
  for (const name of names) expect(first).toContain(name);

  await tell(hub, "cart", "!say I look at the totals !permission !say and done");
  await top.shows("1 needs you");
  await top.shows(/\? cart asks permission/);
  top.keys("j");
  await top.shows(/── cart .*\n[\s\S]*I look at the totals/);

  // Not before it is chosen.
  top.type("o");
  await top.shows("Choose what to answer first");
  expect(await permissionsOf(hub)).toHaveLength(1);
  top.keys("Tab");
  await top.shows(/d \S/);
  top.type("o");
  await top.shows("cart may (once)");
  await eventually(
    async () => ((await permissionsOf(hub)).length === 0 ? true : undefined),
    "it is answered",
  );
  top.keys("Tab");
  await top.shows("and done");

  top.resize(200, 50);
  await top.shows(/│ ── cart/);
  top.resize(40, 12);
  await top.shows(/^huddle top/);
  top.resize(10, 3);
  await top.shows("Too small");
  top.resize(80, 24);
  await top.shows(/── cart/);
  top.type("?");
  await top.shows("Any key goes back");
  top.type("x/jan");
  await top.shows(/\/jan/);
  top.keys("Enter");
  await top.shows(/▸ janus/);
  await patiently(() => expect(top.screen()).not.toContain("puppet"));

  top.type("q");
  const end = await top.ended();
  expect(end).toMatchObject({ code: 0, isRestored: true });
  expect(end.screen).toContain("THE SHELL");
  expect(end.screen).not.toContain("huddle top");
});

test("a question is answered where it stands, and the answer reaches whoever asked", async () => {
  const hub = shared;
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const top = openTopPane(hub.home);
  await top.shows("ann");
  await ann.send("user", "Shall I take \x1b]0;owned\x07\x1b[2Jthe first?");
  const asked = await top.shows("ann wrote");
  expect(asked).toContain("\\x1b]0;owned\\x07\\x1b[2Jthe first?");
  expect(top.title()).not.toContain("owned");

  top.type("u");
  await top.shows("r Answer");
  top.type("r");
  await top.shows("Reply to ann:");
  top.type("No, quit");
  await top.shows("No, quit▏");
  top.keys("Enter");
  await top.shows("ann has your answer");
  expect(await ann.inbox()).toMatchObject([{ content: "No, quit", from: "user" }]);
  await top.shows("It does not wait any more");
  top.keys("C-c");
  expect(await top.ended()).toMatchObject({ code: 130, isRestored: true });
});

test("a hub that is killed is waited for: it says so, and goes on by itself", async () => {
  const hub = await yard.start();
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const top = openTopPane(hub.home);
  await top.shows("● live");
  await hub.kill();
  await top.shows("reconnecting");

  // At another port: it is found again by its file.
  const again = await yard.start({ home: hub.home });
  await top.shows("● live");
  await registerAgent(again.http, again.join, { name: "ben" });
  await top.shows("ben");
  expect(ann.name).toBe("ann");
  top.type("q");
  expect(await top.ended()).toMatchObject({ code: 0, isRestored: true });
});

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGUSR2", 1],
] as const)("the terminal is given back after %s", async (signal, code) => {
  // SIGUSR2 stands for a mistake of the program: an error that nobody catches.
  const crash = join(tempFolder(), "crash.cjs");
  writeFileSync(crash, 'process.on("SIGUSR2", () => { throw new Error("a planted mistake"); });\n');
  const top = openTopPane(shared.home, { node: ["--require", crash] });
  await top.shows("● live");
  signalProcess(top.pid(), signal);
  const end = await top.ended();
  expect(end).toMatchObject({ code, isRestored: true });
  if (signal === "SIGUSR2") expect(end.screen).toContain("a planted mistake");
});

test("Ctrl-Z gives the terminal to the shell, and fg brings the view back", async () => {
  const top = openTopPane(shared.home);
  await top.shows("● live");
  top.keys("C-z");
  const shell = await top.shows("THE SHELL AGAIN");
  expect(shell).not.toContain("● live");
  top.keys("Enter");
  await top.shows("● live");
  top.type("q");
  expect(await top.ended()).toMatchObject({ code: 0, isRestored: true });
});

test("where there is no terminal, one error says what to use instead", async () => {
  const env = { HUDDLE_HOME: shared.home };
  const piped = await cli(["top"], { env });
  expect(piped).toMatchObject({ code: 2, stdout: "" });
  expect(piped.stderr).toContain("huddle agents -w");
  const json = await cli(["top", "--json"], { env, tty: true });
  expect(json).toMatchObject({ code: 2, stdout: "" });
  expect(json.stderr).toContain("huddle agents --json");
});

test("without a hub it says so on the plain screen", async () => {
  const { code, stdout, stderr } = await cli(["top"], { tty: true });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain("huddle up");
});

test("Enter shows the pane of an agent that has one, and detaching comes back", async () => {
  const hub = await yard.start({
    set: [
      `backends.claude-code.command=${resolve("test", "fakes", "scripted-agent", "screen.mjs")}`,
      'backends.claude-code.args=["--guise", "claude"]',
      "backends.claude-code.runtime=tmux",
      'allowed_roots=["/"]',
    ],
  });
  const socket = hubSocket(hub.home);
  onTestFinished(() => void tmux(socket, "kill-server"));
  await spawnAgent(hub, { backend: "claude-code", runtime: "tmux", name: "zed", project: yard.home() });
  const top = openTopPane(hub.home);
  await top.shows("Enter attach");
  top.keys("Enter");
  await eventually(
    async () => (tmux(socket, "list-clients").trim() === "" ? undefined : true),
    "the person is attached",
  );
  await patiently(() => expect(top.screen()).not.toContain("huddle top"));
  // The keys are tmux's now, not the view's.
  top.keys("C-b", "d");
  await top.shows("● live");
  top.type("q");
  expect(await top.ended()).toMatchObject({ code: 0, isRestored: true });
});
