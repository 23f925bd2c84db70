import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub, stateOf } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli as runCli } from "../fakes/run-cli.js";
import { hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";

/* Sessions and panes by their names, with a real hub and a real tmux: where an agent is, and who is taken in by it. */

let yard: HubYard;
const sockets = new Set<string>();
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  for (const socket of sockets) tmux(socket, "kill-server");
  sockets.clear();
  await yard.clear();
});

async function startHub(): Promise<HubProcess> {
  const home = yard.home();
  sockets.add(hubSocket(home));
  const set = [
    "backends.pane.like=claude-code",
    `backends.pane.command=${screenProgram}`,
    'backends.pane.args=["--guise","claude"]',
    "backends.pane.runtime=tmux",
    "tmux.poll_interval_ms=50",
    "tmux.timeout_secs=120",
    "tmux.ready_timeout_secs=300",
  ];
  return startHostingHub(yard, { home, set });
}

let servers = 0;

/** A tmux server of the person's own, with these sessions; without a guise it is a shell. */
async function openSessions(sessions: Record<string, "claude" | "codex" | "shell">): Promise<string> {
  // One that was ended may still be there for a moment.
  const socket = `huddle-sessions-${process.pid}-${++servers}`;
  sockets.add(socket);
  for (const [session, guise] of Object.entries(sessions)) {
    const program =
      guise === "shell" ? ["bash", "--norc"] : [process.execPath, screenProgram, "--guise", guise];
    tmux(socket, "new-session", "-d", "-s", session, "-c", yard.home(), "-x", "140", "-y", "45", ...program);
  }
  for (const session of Object.keys(sessions)) {
    await eventually(
      async () => (tmux(socket, "capture-pane", "-p", "-t", `=${session}:`).trim() === "" ? undefined : true),
      `${session} is up`,
    );
  }
  return socket;
}

const cliOf = (hub: HubProcess) => (argv: string[]) =>
  runCli([...argv, "--timeout", "5m"], {
    env: { HUDDLE_URL: hub.http.url, HUDDLE_TOKEN: hub.operator },
    stdin: "",
  });

test("receipts and the roster say in which session and pane an agent is, as long as it is there", async () => {
  const hub = await startHub();
  const { operator: token } = hub;
  await spawnAgent(hub, { backend: "pane", name: "bob", project: yard.home() });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const socket = hubSocket(hub.home);
  const here = { session: "agent-main-bob", pane: "%0" };
  await eventually(
    async () => ((await stateOf(hub, "bob")) === "idle" ? true : undefined),
    "bob has started",
  );

  const receipt = await ann.send("bob", "!say hello");
  const status = await hub.http.call("GET", `/api/messages/${String(receipt.json["message_id"])}`, { token });
  const shown = await hub.http.call("GET", "/api/agents/bob", { token });
  const other = await hub.http.call("GET", "/api/agents/ann", { token });
  const byAnn = await hub.http.call("GET", "/api/agents/bob", { token: ann.token });

  expect(receipt.json).toMatchObject({ target: "bob", tmux: here });
  // Attaching is the operator's: an agent that typed into a pane by itself would speak with nobody's name.
  expect(receipt.json["tmux"]).not.toHaveProperty("socket");
  expect(byAnn.json["tmux"]).toEqual(here);
  expect(shown.json["tmux"]).toEqual({ ...here, socket });
  expect(status.json).toMatchObject({ deliveries: [{ to: "bob", tmux: { ...here, socket } }] });
  expect(other.json).not.toHaveProperty("tmux");
  expect((await cliOf(hub)(["agents"])).stdout).toMatch(/bob.* agent-main-bob %0/);
  expect((await cliOf(hub)(["send", "bob", "!say more"])).stdout).toContain(
    "Its pane in tmux: agent-main-bob %0.",
  );

  tmux(socket, "rename-session", "-t", "agent-main-bob", "elsewhere");
  await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/agents/bob", { token });
    return JSON.stringify(json["tmux"]).includes("elsewhere") ? true : undefined;
  }, "the new name of the session is known");

  await hub.http.call("POST", "/api/agents/bob/kill", { token });
  const { json } = await ann.send("user", "bob is gone");
  expect(json).not.toHaveProperty("tmux");
});

test("adopt --all takes every agent-* session by the name, team and instance in it, once", async () => {
  const hub = await startHub();
  const cli = cliOf(hub);
  const mine = await openSessions({
    "agent-alpha-ana": "claude",
    "agent-alpha-ana-2": "codex",
    "agent-main-sh": "shell",
    "agent-ralph-ziggy": "claude",
    "agent-Wrong-x": "claude",
    work: "claude",
  });

  const first = await cli(["adopt", "--all", "--socket", mine]);
  const again = await cli(["adopt", "--all", "--socket", mine, "--json"]);

  expect(first.stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^! agent-Wrong-x: skipped: the name cannot be an agent's/),
    "✓ agent-alpha-ana: adopted as ana of team alpha (claude-code, pane %0)",
    "✓ agent-alpha-ana-2: adopted as ana-2 of team alpha (codex, pane %1)",
    expect.stringMatching(/^! agent-main-sh: skipped: Pane %2 runs bash, a shell/),
    "✓ agent-ralph-ziggy: adopted as ralph-ziggy (claude-code, pane %3)",
  ]);
  expect([first.code, again.code]).toEqual([1, 1]);
  const { sessions } = JSON.parse(again.stdout) as { sessions: { outcome: string }[] };
  expect(sessions.map(({ outcome }) => outcome)).toEqual([
    "skipped",
    "already",
    "already",
    "skipped",
    "already",
  ]);
  const { json } = await hub.http.call("GET", "/api/agents/ana-2", { token: hub.operator });
  expect(json).toMatchObject({
    team: "alpha",
    tmux: { session: "agent-alpha-ana-2", pane: "%1", socket: mine },
  });
  const none = await cli(["adopt", "--all", "--socket", `${mine}-none`]);
  expect(none).toMatchObject({ code: 0, stdout: `No agent-* sessions on the tmux server ${mine}-none.\n` });
});

test("broadcast --all takes in the sessions that are no agents yet, and all get it typed", async () => {
  const hub = await startHub();
  const cli = cliOf(hub);
  await spawnAgent(hub, { backend: "pane", name: "bob", project: yard.home() });
  const mine = await openSessions({ "agent-alpha-ana": "claude", "agent-main-sh": "shell" });

  const refused = await cli(["broadcast", "!say hi", "--all", "--socket", mine]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("Nothing was sent: 1 session is no agent yet: agent-alpha-ana");

  const argv = ["broadcast", "!say hi", "--all", "--yes", "--socket", mine, "--confirm", "--json"];
  const sent = await cli(argv);
  const result = JSON.parse(sent.stdout) as { message_id: string };
  expect(result).toMatchObject({
    successful: ["ana", "bob"],
    failed: ["agent-main-sh"],
    adopted: ["ana"],
  });
  await reaches(hub, result.message_id, "finished");
  expect(tmux(mine, "capture-pane", "-p", "-t", "=agent-alpha-ana:")).toContain("MSG_USER_");
});

test("a NUL character in the name of a socket is refused before tmux is asked", async () => {
  const hub = await startHub();
  const { status, json } = await hub.http.call("GET", "/api/panes?socket=%00", { token: hub.operator });
  expect({ status, code: json["code"] }).toEqual({ status: 400, code: "INVALID_INPUT" });
});
