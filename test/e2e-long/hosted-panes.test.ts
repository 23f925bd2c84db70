import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub, stateOf } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { hubSocket, screenProgram, sentTo, tmux } from "../fakes/scripted-pane.js";

/*
 * A real hub and a real tmux; in the panes is a scripted agent that draws the screen of a CLI.
 */

let yard: HubYard;
const sockets = new Set<string>();
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  // The panes first: a bridge in one of them would start another hub.
  for (const socket of sockets) tmux(socket, "kill-server");
  sockets.clear();
  await yard.clear();
});

const settings = [
  "backends.pane.like=claude-code",
  `backends.pane.command=${screenProgram}`,
  'backends.pane.args=["--guise","claude"]',
  "backends.pane.runtime=tmux",
  "tmux.poll_interval_ms=50",
  "tmux.timeout_secs=120",
  "tmux.ready_timeout_secs=120",
];

async function startHub(home?: string): Promise<HubProcess> {
  const folder = home ?? yard.home();
  sockets.add(hubSocket(folder));
  return startHostingHub(yard, { home: folder, set: settings });
}

/** A tmux server of the person's own, with a CLI in the session `work`. */
async function openTheirs(command: readonly string[], folder = yard.home()): Promise<string> {
  const socket = `huddle-adopt-${process.pid}`;
  sockets.add(socket);
  tmux(socket, "new-session", "-d", "-s", "work", "-c", folder, "-x", "140", "-y", "45", ...command);
  await eventually(
    async () => (tmux(socket, "capture-pane", "-p", "-t", "work").trim().length > 20 ? true : undefined),
    "the person's CLI is up",
  );
  return socket;
}

const adopt = (hub: HubProcess, body: Record<string, unknown>) =>
  hub.http.call("POST", "/api/agents/adopt", { token: hub.operator, body });

const idOf = (answer: { json: Record<string, unknown> }) => String(answer.json["message_id"]);

test("an agent in a pane gets its mail typed, confirmed by the screen, and outlives the hub", async () => {
  const hub = await startHub();
  const bob = await spawnAgent(hub, { backend: "pane", name: "bob", project: yard.home() });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });

  const short = await reaches(hub, idOf(await ann.send("bob", "!say hello")), "finished");

  expect(short.steps).toMatchObject([
    { state: "accepted" },
    { state: "offered", route: "pane" },
    { state: "injected", evidence: "pane_took_it" },
    { state: "seen", evidence: "output" },
    { state: "finished" },
  ]);
  const [socket = ""] = sockets;
  expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim()).toBe("agent-main-bob");
  expect(tmux(socket, "capture-pane", "-p", "-t", "agent-main-bob")).toContain("MSG_ANN_");

  await hub.kill();
  expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim()).toBe("agent-main-bob");
  const next = await startHub(hub.home);
  await eventually(async () => ((await stateOf(next, "bob")) === "idle" ? true : undefined), "bob is back");
  const after = await next.http.call("POST", "/api/agents/bob/messages", {
    token: next.operator,
    body: { message: "!say still here" },
  });
  await reaches(next, idOf(after), "finished");
  expect(bob.name).toBe("bob");

  expect((await next.stop()).code).toBe(0);
  expect(tmux(socket, "list-sessions", "-F", "#{session_name}").trim()).toBe("");
});

test("a pane is told where to read what does not fit a line, and the receipt says that it was", async () => {
  const hub = await startHub();
  await spawnAgent(hub, { backend: "pane", name: "bob", project: yard.home() });
  const long = await hub.http.call("POST", "/api/agents/bob/messages", {
    token: hub.operator,
    body: { message: `${"long ".repeat(100)}\nand wide` },
  });

  const delivery = await reaches(hub, idOf(long), "injected");

  expect(delivery.state).toBe("injected");
  const [socket = ""] = sockets;
  const screen = tmux(socket, "capture-pane", "-p", "-J", "-t", "agent-main-bob");
  expect(screen).toContain("call check_messages");
  expect(screen).not.toContain("long long");

  const tool = await hub.http.call("POST", "/api/agents/bob/messages", {
    token: hub.operator,
    body: { message: "!tool check_messages {}" },
  });
  await reaches(hub, idOf(tool), "finished");
  const read = await reaches(hub, idOf(long), "seen");
  expect(read.steps.map(({ state, route, evidence }) => route ?? evidence ?? state)).toEqual([
    "accepted",
    "pane",
    "pane_took_it",
    "inbox",
    "turn_end",
  ]);
});

test("a pane that the person started is adopted as it is, and stays when the hub stops", async () => {
  const hub = await startHub();
  const mine = await openTheirs([process.execPath, screenProgram, "--guise", "claude"]);

  const adopted = await adopt(hub, { target: "work", socket: mine, name: "mine" });

  expect(adopted.json).toMatchObject({ name: "mine", backend: "claude-code", state: "started" });
  const sent = await hub.http.call("POST", "/api/agents/mine/messages", {
    token: hub.operator,
    body: { message: "!say hello" },
  });
  await reaches(hub, idOf(sent), "injected");
  expect(tmux(mine, "capture-pane", "-p", "-t", "work")).toContain("MSG_USER_");
  await hub.stop();
  expect(tmux(mine, "list-sessions", "-F", "#{session_name}").trim()).toBe("work");

  const nothing = await startHub(hub.home);
  const refused = await adopt(nothing, { target: "no-such-pane", socket: mine });
  expect(refused.json).toMatchObject({ code: "TARGET_INVALID" });
});

test("what is longer than a line reaches a pane without Huddle's tools as a file, for the time of its turn", async () => {
  const hub = await startHub();
  const folder = yard.home();
  const program = ["env", `SCRIPTED_HOME=${folder}`, process.execPath, screenProgram, "--guise", "claude"];
  const mine = await openTheirs(program, folder);
  expect((await adopt(hub, { target: "work", socket: mine, name: "mine" })).status).toBe(201);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const words = `!say it has ${"many ".repeat(60)}words`;

  const sent = idOf(await ann.send("mine", words));

  const { steps } = await reaches(hub, sent, "finished");
  expect(steps).toMatchObject([
    { state: "accepted" },
    { state: "offered", route: "pane" },
    { state: "injected", evidence: "pane_took_it" },
    { state: "seen", evidence: "output" },
    { state: "finished" },
  ]);
  const [line = ""] = sentTo(folder);
  expect(line).toMatch(
    /^MSG_ANN_[0-9a-f]{8}: a message is for you; read the file \.huddle\/mail-[0-9a-f]{8}\.txt$/,
  );
  const read = JSON.parse(readFileSync(join(folder, "read"), "utf8")) as { mode: string; text: string };
  expect(read.mode).toBe("600");
  expect(read.text).toContain(`[From agent "ann"]:\n${words}\n[end MSG_ANN_`);
  await eventually(async () => (existsSync(join(folder, ".huddle")) ? undefined : true), "the file is gone");
});

test("a pane does not become a second agent", async () => {
  const hub = await startHub();
  const bob = await spawnAgent(hub, { backend: "pane", name: "bob", project: yard.home() });
  const mine = await openTheirs([process.execPath, screenProgram, "--guise", "claude"]);
  expect((await adopt(hub, { target: "work", socket: mine, name: "carol" })).status).toBe(201);

  const again = await adopt(hub, { target: "%0", socket: mine, name: "carla" });
  const hosted = await adopt(hub, { target: `agent-main-${bob.name}`, socket: hubSocket(hub.home) });

  expect(again.json).toMatchObject({
    code: "TARGET_INVALID",
    error: expect.stringContaining('Pane %0 is that of the agent "carol" already') as unknown,
  });
  expect(hosted.json).toMatchObject({ code: "TARGET_INVALID", agent: "bob" });
});
