import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { letGoOfClosedFiles } from "../../../test/fakes/let-go.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { cli as runAlone } from "../../../test/fakes/run-cli.js";
import { type Script, type Serve, say, scriptedHub } from "../../../test/fakes/scripted-hub.js";

async function hubWith(script: Script, ...streams: Serve[]) {
  const hub = await scriptedHub(script, ...streams);
  const cli = (argv: string[]) => runAlone(argv, { env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" } });
  return { hub, cli };
}

/** What a stream says of a message. */
const injected = (seq: number, id: string) => ({
  seq,
  at: "2026-01-01T10:00:00.000Z",
  type: "MessagesInjected",
  sessionId: "id-bob",
  data: { agent: "id-bob", deliveries: [{ seq: 7, id, from: "human" }] },
});

const asked = {
  id: "0199-aaaa",
  agent: "bob",
  tool: "shell",
  title: "rm -r build",
  act: "execute",
  details: { command: "rm -r build\x1b[2J" },
  options: [{ id: "yes", label: "Yes", grants: "once" }],
  asked: "2026-01-01T12:00:00.000Z",
  expires_in_seconds: 600,
};

/** An agent as the hub shows it. */
const shown = {
  id: "id-1",
  name: "bob",
  label: null,
  status: "idle",
  since: "2026-01-01T12:00:00.000Z",
  evidence: "it waits for mail",
  role: "agent",
  project: null,
  team: "main",
  model: null,
  backend: null,
  lastActive: "2026-01-01T12:00:00.000Z",
  permissions: "ask",
  parent: null,
};

test("spawn works in this folder unless another is named, and says who came up", async () => {
  const spawned = { spawned: true, id: "id-1", name: "tester-2", project: "/src", state: "started" };
  const { hub, cli } = await hubWith(() => ({ status: 201, json: spawned }));

  const run = await cli(["spawn", "codex", "--name", "tester", "--message", "go", "--permissions", "deny"]);

  expect(run).toEqual({
    code: 0,
    stdout:
      "✓ tester-2 is up in /src (id-1)\n  tester is another agent, with its own mail. If it is gone: huddle remove tester\n",
    stderr: "",
  });
  expect(hub.calls).toMatchObject([
    {
      method: "POST",
      path: "/api/agents/spawn",
      body: { backend: "codex", name: "tester", project: process.cwd(), message: "go", permissions: "deny" },
    },
  ]);
});

test("spawn takes the name first where the backend is named by -b", async () => {
  const spawned = { spawned: true, id: "id-1", name: "tester", project: "/src", state: "started" };
  const { hub, cli } = await hubWith(() => ({ status: 201, json: spawned }));

  expect(await cli(["spawn", "tester", "-b", "codex", "-C", "/src", "-m", "go"])).toMatchObject({ code: 0 });

  expect(hub.calls).toMatchObject([
    { body: { backend: "codex", name: "tester", project: "/src", message: "go" } },
  ]);
  expect(await cli(["spawn", "tester", "-b", "codex", "--name", "other"])).toMatchObject({ code: 2 });
});

test("adopt, shutdown and kill say what became of it", async () => {
  const { hub, cli } = await hubWith(({ path }) => {
    if (path === "/api/agents/adopt") {
      return {
        status: 201,
        json: { id: "i", name: "ana", pane: "%3", backend: "claude-code", state: "started" },
      };
    }
    if (path === "/api/agents/ana") return { status: 200, json: { ...shown, state: "idle", runtime: null } };
    return path.endsWith("kill")
      ? { status: 200, json: { killed: true } }
      : { status: 202, json: { acknowledged: false } };
  });

  expect((await cli(["adopt", "work:1.2", "--socket", "mine"])).stdout).toBe(
    "✓ ana is claude-code in pane %3; its mail is typed there\n",
  );
  expect((await cli(["shutdown", "ana", "--reason", "done"])).stdout).toContain("has not read it yet");
  expect((await cli(["stop", "ana"])).stdout).toContain("has not read it yet");
  expect((await cli(["kill", "ana"])).stdout).toBe("✓ ana is gone\n");
  expect(hub.calls.map(({ path, body }) => [path, body])).toEqual([
    ["/api/agents/adopt", { target: "work:1.2", socket: "mine" }],
    ["/api/agents/ana", undefined],
    ["/api/agents/ana/shutdown", { reason: "done" }],
    ["/api/agents/ana", undefined],
    ["/api/agents/ana/shutdown", {}],
    ["/api/agents/ana/kill", undefined],
  ]);
});

describe("permissions", () => {
  test("the inbox shows what waits, harmlessly, with the commands that answer it", async () => {
    const need = { agent: "bob", at: new Date(0).toISOString(), expires: null };
    const approve = { action: "once", label: "Yes", command: "huddle approve 0199-aaaa once" };
    const attach = { action: "attach", label: "Answer it in the pane", command: "huddle attach bob" };
    const items = [
      { ...need, id: "0199-aaaa", kind: "permission", text: "rm -r \x1b[31mbuild", actions: [approve] },
      { ...need, id: "0199-bbbb", kind: "dialog", text: "Trust it?\n1. Yes", actions: [attach] },
      { ...need, id: "m1", kind: "question", text: "shown as mail", actions: [] },
    ];
    const { cli } = await hubWith(({ path }) =>
      path === "/api/needs-you"
        ? { status: 200, json: { items } }
        : { status: 200, json: { messages: [], more: false } },
    );

    const { stdout } = await cli(["inbox"]);

    expect(stdout).toMatch(
      /^\? bob asks permission \(.* ago\)\n {2}rm -r \\x1b\[31mbuild\n {2}huddle approve bob once {2}Yes\n/,
    );
    expect(stdout).toMatch(
      /\n\? bob has a dialog .*\n {2}Trust it\?\n {2}1\. Yes\n {2}huddle attach bob {2}Answer it in the pane\n$/,
    );
    expect(stdout).not.toContain("shown as mail");
    expect(stdout).not.toContain("\x1b");
  });

  test("attach prints how to see a pane, and says what to do where there is none", async () => {
    const agents: Record<string, object> = {
      bob: {
        runtime: "tmux",
        state: "busy",
        tmux: { session: "agent-main-bob", pane: "%3", socket: "huddle-ab" },
      },
      cid: { runtime: "acp", state: "idle" },
      dan: { runtime: "tmux", state: "dormant" },
    };
    const { cli } = await hubWith(({ path }) => ({
      status: 200,
      json: { ...shown, ...agents[path.split("/").at(-1) ?? ""] },
    }));

    expect(await cli(["attach", "bob", "--print"])).toEqual({
      code: 0,
      stdout: "tmux -L huddle-ab attach-session -t %3\n",
      stderr: "",
    });
    expect(await cli(["attach", "bob"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tmux -L huddle-ab attach-session -t %3") as unknown,
    });
    expect(await cli(["attach", "cid", "--print"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("huddle tail cid") as unknown,
    });
    expect(await cli(["attach", "dan"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("huddle send dan hello") as unknown,
    });
  });

  test("an agent's inbox has none", async () => {
    const { cli } = await hubWith(({ path }) =>
      path === "/api/needs-you"
        ? { status: 403, json: { error: "no", code: "FORBIDDEN" } }
        : { status: 200, json: { messages: [], more: false } },
    );

    expect(await cli(["inbox"])).toMatchObject({ code: 0, stdout: "No unread messages.\n" });
  });

  test.each([
    [["approve", "0199"], "once"],
    [["approve", "aaaa", "--always"], "always"],
    [["approve", "0199", "session"], "session"],
    [["deny", "0199-aaaa"], "deny"],
    [["approve", "bob"], "once"],
  ])("%j answers by a part of the id, or by who asks", async (argv, decision) => {
    const { hub, cli } = await hubWith(({ method }) =>
      method === "GET"
        ? { status: 200, json: { permissions: [asked] } }
        : { status: 200, json: { id: asked.id, agent: "bob", outcome: decision } },
    );

    expect(await cli(argv)).toMatchObject({ code: 0 });
    expect(hub.calls.at(-1)).toMatchObject({ path: `/api/permissions/${asked.id}`, body: { decision } });
  });

  test.each([
    ["once", "The check unit of bob's task runs now: npm test"],
    ["always", "The check unit of bob's task runs now, and from now on in /shop: npm test"],
    ["deny", "The check unit of bob's task does not run, and the task fails"],
  ])("an answer about a check says what runs: %s", async (decision, sentence) => {
    const check = { name: "unit", argv: ["npm", "test"], project: "/shop" };
    const { cli } = await hubWith(({ method }) =>
      method === "GET"
        ? { status: 200, json: { permissions: [asked] } }
        : { status: 200, json: { id: asked.id, agent: "bob", outcome: decision, check } },
    );
    const argv = decision === "deny" ? ["deny", "bob"] : ["approve", "bob", decision];

    expect((await cli(argv)).stdout).toBe(`✓ ${sentence}\n`);
  });
});

describe("send --confirm", () => {
  const receipt = {
    delivered: true,
    target: "bob",
    message_id: "m1",
    seq: 7,
    state: "accepted",
    delayed_ms: 0,
  };
  const status = (state: string, reason: string | null, ...states: string[]) => ({
    message: {
      id: "m1",
      seq: 7,
      type: "message",
      from: "user",
      to: "bob",
      content: "hi",
      timestamp: "2026-01-01T10:00:00.000Z",
      conversation: "m1",
      hop: 0,
      attention: "queue",
      source: "user",
      trust: "human",
    },
    deliveries: [
      {
        to: "bob",
        state,
        at: "2026-01-01T10:00:00.000Z",
        evidence: null,
        reason,
        steps: states.map((step) => ({
          state: step,
          at: "2026-01-01T10:00:00.000Z",
          evidence: "acp_prompt",
        })),
      },
    ],
  });

  test("waits until it is injected, and says how that is known", async () => {
    let looks = 0;
    const { hub, cli } = await hubWith(
      ({ method }) => {
        if (method === "POST") return { status: 202, json: receipt };
        looks++;
        const far = looks < 2 ? ["accepted"] : ["accepted", "offered", "injected"];
        return { status: 200, json: status(far.at(-1) ?? "", null, ...far) };
      },
      // Another's message is not looked at.
      (socket) => say(socket, { type: "ready", seq: 7, first: 1 }, injected(8, "m0"), injected(9, "m1")),
    );

    expect(await cli(["send", "bob", "hi", "--confirm"])).toEqual({
      code: 0,
      stdout: "✓ bob has it: injected by acp_prompt (m1)\n",
      stderr: "",
    });
    expect(looks).toBe(2);
    expect(hub.streams.map(({ path }) => path)).toEqual(["/api/events?after=7"]);
  });

  test("gives up when the time is over, whatever is collected as garbage meanwhile", async () => {
    const { hub, cli } = await hubWith(
      ({ method }) =>
        method === "POST"
          ? { status: 202, json: receipt }
          : { status: 200, json: status("accepted", null, "accepted") },
      (socket) => say(socket, { type: "ready", seq: 7, first: 1 }),
    );

    const running = cli(["send", "bob", "hi", "--confirm", "--timeout", "3s"]);
    // It waits now. Collecting takes the process that serves it, too, for longer than a send may take on a busy machine.
    await patiently(() => expect(hub.streams).toHaveLength(1));
    for (let i = 0; i < 5; i++) {
      await sleep(50);
      await letGoOfClosedFiles();
    }

    expect(await running).toMatchObject({
      code: 7,
      stderr: "✗ bob has not taken it within 3 s; it waits (accepted).\n",
    });
  });

  test("fails when its pane did not take it in time, and says where that is", async () => {
    const { message, deliveries } = status("held", "pane_not_ready", "accepted");
    const steps = [
      { state: "offered", at: "2026-01-01T10:00:00.100Z", route: "pane" },
      { state: "accepted", at: "2026-01-01T10:00:03.000Z", reason: "not_taken" },
      { state: "held", at: "2026-01-01T10:00:30.200Z", reason: "pane_not_ready" },
    ];
    const tmux = { session: "agent-main-bob", pane: "%3", socket: "huddle" };
    const { cli } = await hubWith(({ method }) =>
      method === "POST"
        ? { status: 202, json: { ...receipt, tmux } }
        : { status: 200, json: { message, deliveries: [{ ...deliveries[0], steps, tmux }] } },
    );

    expect(await cli(["send", "bob", "hi", "--confirm"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "✗ bob has not got it: its pane was not ready for 30 s. It waits, and is put in when the pane is ready.\n" +
        "  Look at the pane: tmux -L huddle attach -t agent-main-bob\n",
    });
  });

  test("fails with the reason when it never will be", async () => {
    const { cli } = await hubWith(({ method }) =>
      method === "POST"
        ? { status: 202, json: receipt }
        : { status: 200, json: status("failed", "not_started", "accepted", "failed") },
    );

    expect(await cli(["send", "bob", "hi", "--confirm"])).toMatchObject({
      code: 1,
      stderr: "✗ The message to bob failed: the agent could not be started; huddle inbox has the reason.\n",
    });
  });
});
