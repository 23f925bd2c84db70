// PROTOCOL.md, 24: who owes what to whom, with real hubs, scripted agents and hooks in processes of their own.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startHookSession } from "../fakes/hook-session.js";
import {
  eventually,
  processesOf,
  reaches,
  spawnAgent,
  startHostingHub,
  stateOf,
} from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { cli as runCli } from "../fakes/run-cli.js";

const yard = createHubYard();
afterAll(() => yard.clear());

const program = resolve("test", "fakes", "scripted-agent", "acp.mjs");

type Owed = {
  agent: string;
  to: string | null;
  kind: string;
  ref: string;
  due: string | null;
  text: string | null;
};

async function owedIn(hub: HubProcess, token: string, query = ""): Promise<Owed[]> {
  const { status, json } = await hub.http.call("GET", `/api/obligations${query}`, { token });
  expect(status).toBe(200);
  return json["obligations"] as Owed[];
}

/** Bob, whom the hub runs, has claimed a request of ann's and said that he is on something. */
async function owing(flags: readonly string[] = [], set: readonly string[] = []) {
  const agentHome = mkdtempSync(join(tmpdir(), "owing-"));
  onTestFinished(() => rmSync(agentHome, { recursive: true, force: true }));
  const settings = [
    `backends.scripted.acp=${JSON.stringify([process.execPath, program, ...flags])}`,
    `backends.scripted.env=${JSON.stringify({ SCRIPTED_HOME: agentHome })}`,
    ...set,
  ];
  const home = yard.home();
  const start = () => startHostingHub(yard, { home, set: settings });
  const hub = await start();
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const asked = await ann.call("POST", "/api/requests", {
    body: { description: "verify the parser", timeout_seconds: 3600 },
  });
  const request = String(asked.json["request_id"]);
  /** The prompts of turns that came to their end, by the agent's own word. */
  const prompts = (): string[] => {
    const file = join(agentHome, "ended");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => String(JSON.parse(line)));
  };
  // Only now, so that the request starts no turn of its own; with its first message, so that it is not unloaded before.
  const message = `!tool claim_request {"request_id":"${request}"} !tool claim_work {"task":"the parser"}`;
  const bob = await spawnAgent(hub, { name: "bob", project: yard.home(), message });
  await eventually(async () => {
    const isOver = prompts().length > 0 && ["idle", "dormant"].includes(await stateOf(hub, "bob"));
    return isOver ? true : undefined;
  }, "bob has claimed both");
  const lines = [
    "(Huddle: you are bob, team main. You still owe:",
    `- an answer to the request ${request} of ann, which you claimed: "verify the parser"`,
    expect.stringMatching(/^- the work that you claimed, until \S+Z: "the parser"\)$/),
  ];
  return { hub, ann, bob, request, start, prompts, lines };
}

/** A message that bob's turn has come to its end with. */
async function tell(hub: HubProcess, from: Member, words: string) {
  const sent = await from.send("bob", words);
  await reaches(hub, String(sent.json["message_id"]), "finished");
}

const isIn = (hub: HubProcess, state: string) =>
  eventually(async () => ((await stateOf(hub, "bob")) === state ? true : undefined), `bob is ${state}`);

/** Of these prompts the first has the note, and no other. */
function expectNoteOnce(prompts: readonly string[], lines: readonly unknown[]) {
  expect(prompts[0]?.split("\n").slice(0, lines.length)).toEqual(lines);
  expect(prompts.filter((prompt) => prompt.includes("you are bob"))).toHaveLength(1);
}

test("an agent that was unloaded is told what it owes when it is loaded, once", async () => {
  const { hub, ann, prompts, lines } = await owing([], ["hosting.unload_after=1s"]);
  expect(prompts()).toHaveLength(1);
  expect(prompts()[0]).not.toContain("you are bob");
  await isIn(hub, "dormant");
  const gate = join(yard.home(), "gate");
  const first = await ann.send("bob", `!gate ${gate} !say after the unload`);
  await reaches(hub, String(first.json["message_id"]), "injected");
  // In its turn, so that it is not unloaded in between.
  const second = await ann.send("bob", "!say and again");
  writeFileSync(gate, "");
  await reaches(hub, String(second.json["message_id"]), "finished");
  expect(prompts()).toHaveLength(3);
  expectNoteOnce(prompts().slice(1), lines);
});

test("so is one whose processes were killed", async () => {
  const { hub, ann, bob, prompts, lines } = await owing();
  const pids = processesOf(bob.id).map((path) => Number(/\d+/.exec(path)?.[0]));
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await tell(hub, ann, "!say after the kill");
  await tell(hub, ann, "!say and again");
  expectNoteOnce(prompts().slice(1), lines);
});

test("after a hub that was killed in its turn, and one that was stopped, it is told once, and the task of that turn is not told twice", async () => {
  const { hub, ann, start, prompts, lines } = await owing();
  const gate = join(yard.home(), "gate");
  const body = { agent: "bob", prompt: `!say begun !gate ${gate} !say done` };
  const task = await hub.http.call("POST", "/api/tasks", { token: hub.operator, body });
  await reaches(hub, String(task.json["task_id"]), "seen");
  expect(await owedIn(hub, hub.operator, "?agent=bob")).toMatchObject([
    { agent: "bob", to: "user", kind: "task", ref: task.json["task_id"] },
    { kind: "request", to: "ann", text: "verify the parser", due: null },
    { kind: "claim", to: null, ref: "the parser" },
  ]);
  await hub.kill();
  writeFileSync(gate, "");

  const next = await start();
  await reaches(next, String(task.json["task_id"]), "finished");
  const [, cut = ""] = prompts();
  expectNoteOnce([cut], lines);
  expect(cut).toContain("you were cut by a restart of the hub");
  expect(cut).not.toContain("the task task-");
  await tell(next, memberAt(next.http, ann), "!say on");
  expect(prompts().at(-1)).not.toContain("you are bob");
  await next.stop();

  const third = await start();
  await tell(third, memberAt(third.http, ann), "!say after the stop");
  expectNoteOnce(prompts().slice(3), lines);
});

test("one whose session cannot be loaded is told who it is, even if it owes nothing any more", async () => {
  const { hub, ann, request, prompts } = await owing(["--no-load"], ["hosting.unload_after=1s"]);
  await isIn(hub, "dormant");
  await tell(hub, ann, `!tool send_message {"to":"ann","content":"It holds.","reply_to":"${request}"}`);
  const lost =
    "(Huddle: you are bob, team main. Your earlier session could not be resumed: you know nothing of it.";
  expect(prompts()[1]?.split("\n").slice(0, 2)).toEqual([
    `${lost} You still owe:`,
    `- an answer to the request ${request} of ann, which you claimed: "verify the parser"`,
  ]);
  await tell(hub, ann, '!tool release_work {"task":"the parser"}');
  await isIn(hub, "dormant");
  await tell(hub, ann, "!say anything");
  expect(prompts().at(-1)?.split("\n")[0]).toBe(`${lost})`);
});

describe("at a hub that all share", () => {
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await yard.start();
  });

  test("each sees what it owes and what is owed to it; a question's words are its two ends' and the person's", async () => {
    const join = (name: string) => registerAgent(hub.http, hub.join, { name });
    const [ann, bob, eve] = [await join("ann"), await join("bob"), await join("eve")];
    const boss = await registerAgent(hub.http, hub.operator, { name: "boss", role: "orchestrator" });
    const sent = await ann.send("bob", "A secret plan.\nDo you know the zebra?");
    await bob.inbox();
    const question = { agent: "bob", to: "ann", kind: "question", ref: sent.json["message_id"], due: null };
    const text = "Do you know the zebra?";

    for (const { token } of [ann, bob, { token: hub.operator }]) {
      expect(await owedIn(hub, token)).toMatchObject([{ ...question, text }]);
    }
    expect(await owedIn(hub, boss.token)).toMatchObject([{ ...question, text: null }]);
    expect(await owedIn(hub, eve.token)).toEqual([]);
    expect(await owedIn(hub, eve.token, "?agent=bob")).toEqual([]);
    expect(await owedIn(hub, ann.token, "?agent=bob")).toMatchObject([question]);
    expect(await owedIn(hub, ann.token, "?agent=ann")).toEqual([]);
    const unknown = await hub.http.call("GET", "/api/obligations?agent=nobody", { token: hub.operator });
    expect([unknown.status, unknown.json["code"]]).toEqual([404, "AGENT_NOT_FOUND"]);

    await bob.call("PUT", "/api/agents/bob", { body: { name: "bert" } });
    expect(await owedIn(hub, ann.token)).toMatchObject([{ ...question, agent: "bert" }]);
    await bob.send("ann", "No.", { reply_to: sent.json["message_id"] });
    expect(await owedIn(hub, hub.operator)).toEqual([]);
  });

  test.each(["huddle", "agent"] as const)(
    "check_messages of the set %s says what the reader still owes, beside its mail",
    async (set) => {
      const ann = await registerAgent(hub.http, hub.join, { name: `ann-${set}` });
      const bob = await registerAgent(hub.http, hub.join, { name: `bob-${set}` });
      const mcp = await connectMcp(hub, bob.token, { set });
      expect(await mcp.call("check_messages")).toEqual({ messages: [] });
      await ann.send(bob.name, "Are you there?");

      const first = await mcp.call("check_messages");
      expect(first).not.toHaveProperty("owes");
      const line: unknown = expect.stringMatching(
        /^an answer to MSG_ANN_\w+_[0-9a-f]{8} of ann-\w+: "Are you there\?"$/,
      );
      await eventually(
        async () => ("owes" in (await mcp.call("check_messages")) ? true : undefined),
        "it is owed",
      );
      expect(await mcp.call("check_messages")).toMatchObject({ messages: [], owes: [line] });
      for (const n of [1, 2, 3, 4, 5, 6]) {
        await bob.call("POST", "/api/claims", { body: { task: `part ${n} of ${set}`, action: "claim" } });
      }
      const { owes } = (await mcp.call("check_messages")) as { owes: string[] };
      expect(owes).toHaveLength(6);
      expect(owes.at(-1)).toBe("and 2 more");
    },
  );

  test("get_obligations says what one owes and is owed; an orchestrator sees all, without the words of others' mail", async () => {
    const ann = await registerAgent(hub.http, hub.join, { name: "amy" });
    const bob = await registerAgent(hub.http, hub.join, { name: "ben" });
    const boss = await registerAgent(hub.http, hub.operator, { name: "chief", role: "orchestrator" });
    await ann.send("ben", "Are you there?");
    await bob.inbox();
    await bob.call("POST", "/api/claims", { body: { task: "the build", action: "claim" } });
    const [anns, bobs] = [await connectMcp(hub, ann.token), await connectMcp(hub, bob.token)];
    const bosss = await connectMcp(hub, boss.token, { set: "orchestrator" });

    const question = { agent: "ben", to: "amy", kind: "question", text: "Are you there?" };
    const claim = { agent: "ben", to: null, kind: "claim", ref: "the build" };
    expect(await anns.call("get_obligations")).toMatchObject({ obligations: [question] });
    expect(await bobs.call("get_obligations")).toMatchObject({ obligations: [question, claim] });
    expect(await bosss.call("get_obligations", { agent: "ben" })).toMatchObject({
      obligations: [{ ...question, text: null }, claim],
    });
  });
});

test("a session whose context was compacted is told what it owes, and none of it counts as mail", async () => {
  const hub = await yard.start();
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop") });
  const asked = await ann.call("POST", "/api/requests", {
    body: { description: "verify the parser", timeout_seconds: 3600 },
  });
  const request = String(asked.json["request_id"]);
  await session.tool("claim_request", { request_id: request });

  const note = `(Huddle: you are claude-shop, team main. You still owe:\n- an answer to the request ${request} of ann, which you claimed: "verify the parser")`;
  expect(await session.told("SessionStart", { source: "startup" })).toBeUndefined();
  expect(await session.told("SessionStart", { source: "compact" })).toBe(note);
  expect(await session.told("SessionStart", { source: "resume" })).toBe(note);
  expect(await session.told("PostToolUse")).toBeUndefined();
  const { messages } = (await session.tool("check_messages")) as { messages: unknown[] };
  expect(messages).toEqual([]);
  // Without a hub it is silent, and ends at once.
  await hub.kill();
  const { code, stdout } = await session.hook({ hook_event_name: "SessionStart", source: "compact" });
  expect([code, stdout]).toEqual([0, ""]);
});

test("the person sees who owes what to whom", async () => {
  const hub = await yard.start();
  const cli = (...args: string[]) => runCli(args, { env: { HUDDLE_HOME: hub.home } });
  expect((await cli("obligations")).stdout).toBe("Nobody owes anything.\n");
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
  await ann.send("bob", "Is \u001b[31mit ready?");
  await bob.inbox();
  await hub.http.call("POST", "/api/tasks", {
    token: hub.operator,
    body: { agent: "ann", prompt: "Review the auth module" },
  });

  const { stdout, code } = await cli("obligations");
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^ann owes\n.*\ntask +user .* Review the auth module\n\nbob owes\n.*\nquestion +ann .* Is it ready\?\n$/,
  );
  expect(stdout).not.toContain("\u001b[31m");
  const listed = JSON.parse((await cli("obligations", "bob", "--json")).stdout) as { obligations: Owed[] };
  expect(listed.obligations).toMatchObject([{ agent: "bob", to: "ann", kind: "question" }]);
  expect((await cli("obligations", "nobody")).code).toBe(4);
});
