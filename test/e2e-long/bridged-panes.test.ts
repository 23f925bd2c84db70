import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bridgeProgram } from "../fakes/bridge-process.js";
import { eventually, reaches, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { patientCli } from "../fakes/run-cli.js";
import { screenProgram, sentTo, tmux } from "../fakes/scripted-pane.js";

/*
 * A CLI in a pane of the person's own, with the real bridge below it. Adopted, it stays the agent that it is by its bridge, and
 * its mail is typed.
 */

let yard: HubYard;
const socket = `huddle-bridged-${process.pid}`;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  // The pane first: its bridge would start another hub.
  tmux(socket, "kill-server");
  await yard.clear();
});

const settings = ["tmux.poll_interval_ms=50", "tmux.timeout_secs=30"];

/** A hub, and a CLI in the tmux session `agent-main-x` which is the agent `theirs` by its bridge. */
async function openTheirs(flags: readonly string[] = [], set: readonly string[] = []) {
  const hub = await startHostingHub(yard, { set: [...settings, ...set] });
  const folder = yard.home();
  const bridge = [`HUDDLE_HOME=${hub.home}`, process.execPath, bridgeProgram(), "--name", "theirs"];
  const config = join(folder, "mcp.json");
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { huddle: { command: "/usr/bin/env", args: bridge } } }),
  );
  const screen = [process.execPath, screenProgram, "--guise", "claude", "--mcp-config", config];
  const command = ["env", `SCRIPTED_HOME=${folder}`, ...screen, "--keeps-server", ...flags];
  tmux(socket, "new-session", "-d", "-s", "agent-main-x", "-c", folder, "-x", "140", "-y", "45", ...command);
  const own = await eventually(async () => {
    const { status, json } = await hub.http.call("GET", "/api/agents/theirs", { token: hub.operator });
    const isDrawn = tmux(socket, "capture-pane", "-p", "-t", "agent-main-x").includes("❯");
    return status === 200 && isDrawn ? json : undefined;
  }, "the bridge has registered, and the screen is drawn");
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  return { hub, folder, ann, id: String(own["id"]) };
}

const adopt = (hub: HubProcess, more: Record<string, unknown> = {}) =>
  hub.http.call("POST", "/api/agents/adopt", {
    token: hub.operator,
    body: { target: "agent-main-x", socket, ...more },
  });

const theirs = async (hub: HubProcess) =>
  (await hub.http.call("GET", "/api/agents/theirs", { token: hub.operator })).json;

const idOf = (answer: { json: Record<string, unknown> }) => String(answer.json["message_id"]);

test("a CLI with a bridge of its own stays one agent when its pane is adopted", async () => {
  const { hub, folder, ann, id } = await openTheirs(["--fetches"]);

  const adopted = await adopt(hub, { name: "carol" });

  expect(adopted).toMatchObject({
    status: 201,
    json: { id, name: "theirs", backend: "claude-code", state: "started", bridged: true },
  });
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  expect((json["agents"] as { name: string }[]).map(({ name }) => name).sort()).toEqual(["ann", "theirs"]);
  const long = idOf(await ann.send("theirs", `!say it has ${"many ".repeat(60)}words`));
  const read = await reaches(hub, long, "seen");
  // It may read its mail before its screen shows that it took the line.
  expect(read.steps.map(({ state, route, evidence }) => route ?? evidence ?? state).sort()).toEqual([
    "accepted",
    "inbox",
    "pane",
    "pane_took_it",
    "turn_end",
  ]);
  const short = await reaches(hub, idOf(await ann.send("theirs", "!say hello")), "finished");
  expect(short.steps.map(({ state }) => state)).toEqual([
    "accepted",
    "offered",
    "injected",
    "seen",
    "finished",
  ]);
  expect(sentTo(folder)).toEqual([
    expect.stringMatching(/^MSG_ANN_[0-9a-f]{8}: a message waits for you; call check_messages to read it\.$/),
    expect.stringMatching(/^MSG_ANN_[0-9a-f]{8}: !say hello$/),
  ]);
  expect(existsSync(join(folder, ".huddle"))).toBe(false);
});

test("what an open wait takes is not typed as well", async () => {
  const { hub, folder, ann } = await openTheirs();
  expect((await adopt(hub)).status).toBe(201);
  const gate = join(folder, "gate");
  const asked = `!gate ${gate} !tool wait_for_message {"timeout_seconds": 300}`;
  await reaches(hub, idOf(await ann.send("theirs", asked)), "injected");
  writeFileSync(gate, "");
  await eventually(
    async () => ((await theirs(hub))["state"] === "listening" ? true : undefined),
    "it waits inside its turn",
  );

  const waited = await reaches(hub, idOf(await ann.send("theirs", "for the wait")), "seen");

  expect(waited.steps.map(({ state, route, evidence }) => route ?? evidence ?? state)).toEqual([
    "accepted",
    "wait",
    expect.stringMatching(/^(next_call|turn_end)$/),
  ]);
  await reaches(hub, idOf(await ann.send("theirs", "!say and on")), "finished");
  expect(sentTo(folder)).toHaveLength(2);
});

test("what it reads by itself in a turn of the person's is not typed after it", async () => {
  const { hub, folder, ann } = await openTheirs();
  expect((await adopt(hub)).status).toBe(201);
  const gate = join(folder, "gate");
  const person = `!gate ${gate} !tool check_messages {} !tool list_agents {}`;
  tmux(socket, "send-keys", "-t", "agent-main-x", "-l", `x: ${person}`);
  tmux(socket, "send-keys", "-t", "agent-main-x", "Enter");
  await eventually(async () => (sentTo(folder).length === 1 ? true : undefined), "the person's turn began");

  const sent = idOf(await ann.send("theirs", "!say hello"));
  await reaches(hub, sent, "offered");
  writeFileSync(gate, "");

  const read = await reaches(hub, sent, "seen");
  expect(read.steps.map(({ state, route }) => route ?? state)).toEqual(["accepted", "pane", "inbox", "seen"]);
  await reaches(hub, idOf(await ann.send("theirs", "!say on")), "finished");
  expect(sentTo(folder)).toEqual([`x: ${person}`, expect.stringMatching(/: !say on$/)]);
});

test("when the pane is closed it is attached again, dead by its silence, and its mail waits", async () => {
  const { hub, ann, id } = await openTheirs([], ["presence.dead_after=3s"]);
  expect((await adopt(hub)).status).toBe(201);
  expect(await theirs(hub)).toMatchObject({ id, runtime: "tmux" });

  tmux(socket, "kill-server");

  await eventually(async () => ((await theirs(hub))["runtime"] === null ? true : undefined), "it is let go");
  await eventually(async () => ((await theirs(hub))["state"] === "dead" ? true : undefined), "it is dead");
  const sent = idOf(await ann.send("theirs", "are you there?"));
  expect((await reaches(hub, sent, "accepted")).state).toBe("held");
});

test("a kill lets go of the pane and leaves the agent, which can be adopted again by --all", async () => {
  const { hub, folder, ann, id } = await openTheirs();
  const env = { HUDDLE_HOME: hub.home };
  const all = ["adopt", "--all", "--socket", socket];
  expect((await patientCli(all, { env })).stdout).toBe(
    "✓ agent-main-x: adopted as theirs (claude-code, pane %0)\n",
  );
  expect((await patientCli(all, { env })).stdout).toBe("– agent-main-x: already adopted, it is theirs\n");

  const killed = await patientCli(["kill", "theirs"], { env });

  expect(killed.stdout).toBe("✓ theirs is let go, and reads its mail by its own bridge again\n");
  expect(await theirs(hub)).toMatchObject({ id, runtime: null, state: "idle" });
  const sent = idOf(await ann.send("theirs", "!say again"));
  expect((await reaches(hub, sent, "accepted")).state).toBe("accepted");
  expect((await patientCli(all, { env })).code).toBe(0);
  await reaches(hub, sent, "finished");
  expect(sentTo(folder)).toHaveLength(1);
});
