import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli as runCli } from "../fakes/run-cli.js";
import { answeredIn, hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";

/* Dialogs in panes, from the screen to `huddle inbox` and back, with a real hub and a real tmux. */

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

const timeout = 120_000;

type Need = { id: string; kind: string; agent: string; text: string; actions: { action: string }[] };

/** A hub that knows the scripted CLI, and how the person at its terminal uses it. */
async function openHub(...flags: string[]) {
  const home = yard.home();
  sockets.add(hubSocket(home));
  const hub = await startHostingHub(yard, {
    home,
    set: [
      "backends.pane.like=claude-code",
      `backends.pane.command=${screenProgram}`,
      `backends.pane.args=${JSON.stringify(["--guise", "claude", ...flags])}`,
      "backends.pane.runtime=tmux",
      "tmux.poll_interval_ms=50",
      "tmux.timeout_secs=20",
      "tmux.ready_timeout_secs=30",
    ],
  });
  const env = { HUDDLE_URL: hub.http.url, HUDDLE_TOKEN: hub.operator };
  return {
    hub,
    home,
    project: yard.home(),
    cli: (...argv: string[]) => runCli(argv, { env, stdin: "" }),
    needs: async () => {
      const { json } = await hub.http.call("GET", "/api/needs-you", { token: hub.operator });
      return json["items"] as Need[];
    },
  };
}

type Hub = Awaited<ReturnType<typeof openHub>>;

async function spawn({ hub, project }: Hub) {
  const body = { backend: "pane", name: "bob", project };
  return (await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body })).json;
}

const stateOf = async (hub: HubProcess) =>
  (await hub.http.call("GET", "/api/agents/bob", { token: hub.operator })).json;

/** The agent as it is shown, once it is in this state. */
const isNow = (hub: HubProcess, state: string) =>
  eventually(async () => {
    const shown = await stateOf(hub);
    return shown["state"] === state ? shown : undefined;
  }, `bob is ${state}`);

async function nextNeed(hub: Hub, kind: string): Promise<Need> {
  return eventually(async () => (await hub.needs()).find((need) => need.kind === kind), `a ${kind}`);
}

test("a permission dialog in a turn: waiting at once, in the inbox with its words, and approve presses its key", {
  timeout,
}, async () => {
  const own = await openHub();
  await spawn(own);
  const ann = await registerAgent(own.hub.http, own.hub.join, { name: "ann" });
  const sent = String((await ann.send("bob", "!permission !say done")).json["message_id"]);

  const need = await nextNeed(own, "permission");
  expect(need).toMatchObject({
    agent: "bob",
    text: expect.stringContaining("rm -rf build\nDo you want to proceed?\n1. Yes") as unknown,
  });
  expect(need.actions.map(({ action }) => action)).toEqual(["once", "always", "deny"]);
  expect(String((await isNow(own.hub, "waiting"))["evidence"])).toContain("rm -rf build");
  const inbox = await own.cli("inbox");
  expect(inbox.stdout).toContain("rm -rf build");
  expect(inbox.stdout).toContain("huddle approve bob once");
  expect(answeredIn(own.project)).toEqual([]);

  expect(await own.cli("approve", "bob")).toMatchObject({ code: 0, stdout: "✓ bob may (once)\n" });
  await reaches(own.hub, sent, "finished");
  expect(answeredIn(own.project)).toEqual(["1"]);
  expect(await own.needs()).toEqual([]);
  await isNow(own.hub, "idle");
});

test("deny presses the key of No, and the turn ends", { timeout }, async () => {
  const own = await openHub();
  await spawn(own);
  const ann = await registerAgent(own.hub.http, own.hub.join, { name: "ann" });
  const sent = String((await ann.send("bob", "!permission !say done")).json["message_id"]);
  const { id } = await nextNeed(own, "permission");
  expect(await own.cli("deny", id)).toMatchObject({ code: 0 });
  await reaches(own.hub, sent, "finished");
  expect(answeredIn(own.project)).toEqual(["3"]);
});

test("the person answers in the pane first: the question is withdrawn, and says so", {
  timeout,
}, async () => {
  const own = await openHub();
  await spawn(own);
  const ann = await registerAgent(own.hub.http, own.hub.join, { name: "ann" });
  const sent = String((await ann.send("bob", "!permission !say done")).json["message_id"]);
  const { id } = await nextNeed(own, "permission");

  tmux(hubSocket(own.home), "send-keys", "-t", "%0", "2");
  const late = await own.cli("approve", id);

  expect(late.code).toBe(1);
  expect(late.stderr).toContain("Somebody answered it in the pane");
  await reaches(own.hub, sent, "finished");
  expect(answeredIn(own.project)).toEqual(["2"]);
  expect(await own.needs()).toEqual([]);
});

test("a dialog at the start: the spawn says that it waits, attach shows where, and it goes on when answered", {
  timeout,
}, async () => {
  const own = await openHub("--dialog", "Do you trust this folder?");
  expect(await spawn(own)).toMatchObject({ state: "waiting", words: "Do you trust this folder?" });
  await isNow(own.hub, "waiting");
  const need = await nextNeed(own, "dialog");
  expect(need).toMatchObject({ agent: "bob", actions: [{ action: "attach" }] });
  expect(need.text).toContain("2. Yes");

  const refused = await own.cli("approve", need.id);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("huddle attach bob");
  const attach = await own.cli("attach", "bob", "--print");
  expect(attach.stdout).toBe(`tmux -L ${hubSocket(own.home)} attach-session -t %0\n`);
  expect(answeredIn(own.project)).toEqual([]);

  tmux(hubSocket(own.home), "send-keys", "-t", "%0", "2");
  await isNow(own.hub, "idle");
  expect(await own.needs()).toEqual([]);
  const ann = await registerAgent(own.hub.http, own.hub.join, { name: "ann" });
  const sent = String((await ann.send("bob", "!say hello")).json["message_id"]);
  await reaches(own.hub, sent, "finished");
});

test("a pane of the person's own: a dialog outside any turn of ours is noticed, and answered from here", {
  timeout,
}, async () => {
  const own = await openHub();
  const socket = `huddle-dialogs-${process.pid}`;
  sockets.add(socket);
  const program = [process.execPath, screenProgram, "--guise", "claude"];
  tmux(socket, "new-session", "-d", "-s", "work", "-c", own.project, "-x", "140", "-y", "45", ...program);
  const screen = () => tmux(socket, "capture-pane", "-p", "-t", "work");
  await eventually(async () => (screen().includes("❯") ? true : undefined), "the CLI is up");
  const body = { target: "work", socket, name: "bob" };
  await own.hub.http.call("POST", "/api/agents/adopt", { token: own.hub.operator, body });
  await isNow(own.hub, "idle");

  tmux(socket, "send-keys", "-t", "work", "F6");
  const need = await nextNeed(own, "permission");
  expect(need.text).toContain("git push");
  await isNow(own.hub, "waiting");
  expect(await own.cli("approve", "bob")).toMatchObject({ code: 0 });
  await eventually(async () => (answeredIn(own.project).length > 0 ? true : undefined), "the key");
  expect(answeredIn(own.project)).toEqual(["1"]);
  await isNow(own.hub, "idle");
});

test("one list: mail that is neither answered nor acknowledged, and nothing that was dealt with", {
  timeout,
}, async () => {
  const own = await openHub();
  const ann = await registerAgent(own.hub.http, own.hub.join, { name: "ann" });
  const first = String((await ann.send("user", "Which port?")).json["message_id"]);
  const second = String((await ann.send("user", "And which host?")).json["message_id"]);
  expect(await own.needs()).toMatchObject([
    {
      id: first,
      kind: "question",
      agent: "ann",
      text: "Which port?",
      actions: [{ action: "reply" }, { action: "ack" }],
    },
    { id: second, kind: "question" },
  ]);
  await own.cli("send", "ann", "8080", "--reply-to", first);
  expect((await own.needs()).map(({ id }) => id)).toEqual([second]);
  const shown = await own.cli("inbox", "--ack");
  expect(shown.stdout).toContain("And which host?");
  expect(await own.needs()).toEqual([]);
  const asAgent = await own.hub.http.call("GET", "/api/needs-you", { token: ann.token });
  expect(asAgent.status).toBe(403);
});
