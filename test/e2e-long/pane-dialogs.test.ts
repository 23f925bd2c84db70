import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, reaches, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { cli as runCli } from "../fakes/run-cli.js";
import { answeredIn, hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";

/* Dialogs in panes, from the screen to `huddle inbox` and back, with a real hub and a real tmux. */

const yard = createHubYard();
const sockets = new Set<string>();
let hub: HubProcess;
let ann: Member;

/** A hub that knows the scripted CLI, and one of it that asks something at its start. */
beforeAll(async () => {
  const home = yard.home();
  sockets.add(hubSocket(home));
  const backend = (name: string, ...flags: string[]) => [
    `backends.${name}.like=claude-code`,
    `backends.${name}.command=${screenProgram}`,
    `backends.${name}.args=${JSON.stringify(["--guise", "claude", ...flags])}`,
    `backends.${name}.runtime=tmux`,
  ];
  const set = [
    ...backend("pane"),
    ...backend("asking", "--dialog", "Do you trust this folder?"),
    "tmux.poll_interval_ms=50",
    "tmux.timeout_secs=120",
    "tmux.ready_timeout_secs=300",
  ];
  hub = await startHostingHub(yard, { home, set });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(async () => {
  for (const socket of sockets) tmux(socket, "kill-server");
  await yard.clear();
});

type Need = { id: string; kind: string; agent: string; text: string; actions: { action: string }[] };

const cli = (...argv: string[]) =>
  runCli([...argv, "--timeout", "5m"], {
    env: { HUDDLE_URL: hub.http.url, HUDDLE_TOKEN: hub.operator },
    stdin: "",
  });

/** What waits for the person, of one agent. */
async function needsOf(name: string): Promise<Need[]> {
  const { json } = await hub.http.call("GET", "/api/needs-you", { token: hub.operator });
  return (json["items"] as Need[]).filter(({ agent }) => agent === name);
}

const nextNeed = (name: string, kind: string) =>
  eventually(async () => (await needsOf(name)).find((need) => need.kind === kind), `a ${kind} of ${name}`);

async function spawn(name: string, backend = "pane") {
  const project = yard.home();
  const body = { backend, name, project };
  const { json } = await hub.http.call("POST", "/api/agents/spawn", { token: hub.operator, body });
  return { project, spawned: json };
}

const show = async (name: string) =>
  (await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator })).json;

/** The agent as it is shown, once it is in this state. */
const isNow = (name: string, state: string) =>
  eventually(async () => {
    const shown = await show(name);
    return shown["state"] === state ? shown : undefined;
  }, `${name} is ${state}`);

async function paneOf(name: string): Promise<string> {
  return ((await show(name))["tmux"] as { pane: string }).pane;
}

const send = async (name: string, words: string) => String((await ann.send(name, words)).json["message_id"]);

test("a permission dialog in a turn: waiting at once, in the inbox with its words, and approve presses its key", async () => {
  const { project } = await spawn("bob");
  const sent = await send("bob", "!permission !say done");

  const need = await nextNeed("bob", "permission");
  expect(need.text).toContain("rm -rf build\nDo you want to proceed?\n1. Yes");
  expect(need.actions.map(({ action }) => action)).toEqual(["once", "always", "deny"]);
  expect(String((await isNow("bob", "waiting"))["evidence"])).toContain("rm -rf build");
  const inbox = await cli("inbox");
  expect(inbox.stdout).toContain("rm -rf build");
  expect(inbox.stdout).toContain("huddle approve bob once");
  expect(answeredIn(project)).toEqual([]);

  expect(await cli("approve", "bob")).toMatchObject({ code: 0, stdout: "✓ bob may (once)\n" });
  await reaches(hub, sent, "finished");
  expect(answeredIn(project)).toEqual(["1"]);
  expect(await needsOf("bob")).toEqual([]);
  await isNow("bob", "idle");
});

test("deny presses the key of No, and the turn ends", async () => {
  const { project } = await spawn("denied");
  const sent = await send("denied", "!permission !say done");
  const { id } = await nextNeed("denied", "permission");
  expect(await cli("deny", id)).toMatchObject({ code: 0 });
  await reaches(hub, sent, "finished");
  expect(answeredIn(project)).toEqual(["3"]);
});

test("the person answers in the pane first: the question is withdrawn, and says so", async () => {
  const { project } = await spawn("quick");
  const sent = await send("quick", "!permission !say done");
  const { id } = await nextNeed("quick", "permission");

  const at = ["-t", await paneOf("quick")];
  tmux(hubSocket(hub.home), "send-keys", ...at, "2");
  await eventually(async () => {
    const screen = tmux(hubSocket(hub.home), "capture-pane", "-p", ...at);
    return screen.includes("Do you want to proceed?") ? undefined : true;
  }, "the dialog is off the screen");
  const late = await cli("approve", id);

  expect(late.code).toBe(1);
  expect(late.stderr).toContain("Somebody answered it in the pane");
  await reaches(hub, sent, "finished");
  expect(answeredIn(project)).toEqual(["2"]);
  expect(await needsOf("quick")).toEqual([]);
});

test("a dialog at the start: the spawn says that it waits, attach shows where, and it goes on when answered", async () => {
  const { project, spawned } = await spawn("new", "asking");
  expect(spawned).toMatchObject({ state: "waiting", words: "Do you trust this folder?" });
  await isNow("new", "waiting");
  const need = await nextNeed("new", "dialog");
  expect(need).toMatchObject({ actions: [{ action: "attach" }] });
  expect(need.text).toContain("2. Yes");

  const refused = await cli("approve", need.id);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("huddle attach new");
  const pane = await paneOf("new");
  const attach = await cli("attach", "new", "--print");
  expect(attach.stdout).toBe(`tmux -L ${hubSocket(hub.home)} attach-session -t ${pane}\n`);
  expect(answeredIn(project)).toEqual([]);

  tmux(hubSocket(hub.home), "send-keys", "-t", pane, "2");
  await isNow("new", "idle");
  expect(await needsOf("new")).toEqual([]);
  await reaches(hub, await send("new", "!say hello"), "finished");
});

test("a pane of the person's own: a dialog outside any turn of ours is noticed, and answered from here", async () => {
  const project = yard.home();
  const socket = `huddle-dialogs-${process.pid}`;
  sockets.add(socket);
  const program = [process.execPath, screenProgram, "--guise", "claude"];
  tmux(socket, "new-session", "-d", "-s", "work", "-c", project, "-x", "140", "-y", "45", ...program);
  const screen = () => tmux(socket, "capture-pane", "-p", "-t", "work");
  await eventually(async () => (screen().includes("❯") ? true : undefined), "the CLI is up");
  const body = { target: "work", socket, name: "own" };
  await hub.http.call("POST", "/api/agents/adopt", { token: hub.operator, body });
  await isNow("own", "idle");

  tmux(socket, "send-keys", "-t", "work", "F6");
  const need = await nextNeed("own", "permission");
  expect(need.text).toContain("git push");
  await isNow("own", "waiting");
  expect(await cli("approve", "own")).toMatchObject({ code: 0 });
  await eventually(async () => (answeredIn(project).length > 0 ? true : undefined), "the key");
  expect(answeredIn(project)).toEqual(["1"]);
  await isNow("own", "idle");
});

test("one list: mail that is neither answered nor acknowledged, and nothing that was dealt with", async () => {
  const first = await send("user", "Which port?");
  const second = await send("user", "And which host?");
  expect(await needsOf("ann")).toMatchObject([
    {
      id: first,
      kind: "question",
      text: "Which port?",
      actions: [{ action: "reply" }, { action: "ack" }],
    },
    { id: second, kind: "question" },
  ]);
  await cli("send", "ann", "8080", "--reply-to", first);
  expect((await needsOf("ann")).map(({ id }) => id)).toEqual([second]);
  const shown = await cli("inbox", "--ack");
  expect(shown.stdout).toContain("And which host?");
  expect(await needsOf("ann")).toEqual([]);
  const asAgent = await hub.http.call("GET", "/api/needs-you", { token: ann.token });
  expect(asAgent.status).toBe(403);
});
