import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { openBridge } from "../fakes/mcp-bridge.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

/* What proves that an agent got its mail through tools, and that a call that is made again does nothing twice (18.5). */

const yard = createHubYard();
let hub: HubProcess;
let pairs = 0;
/** Two of each test's own, in a team of their own. */
let ann: Member;
let bob: Member;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: ["presence.offline_after=24h", "hosting.agents=100"] });
});
beforeEach(async () => {
  [ann, bob] = await openPair(hub);
});
afterAll(() => yard.clear());

async function openPair(at: HubProcess): Promise<[Member, Member]> {
  const team = `team${++pairs}`;
  return [
    await registerAgent(at.http, at.join, { name: "ann", team, backend: "scripted" }),
    await registerAgent(at.http, at.join, { name: "bob", team }),
  ];
}

async function waiting(count: number): Promise<void> {
  await patiently(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    expect(json["readers"]).toBe(count);
  });
}

async function stateOf(id: string, sender: Member = ann) {
  const [delivery] = (await sender.receipt(id)).json["deliveries"] as {
    state: string;
    evidence: string | null;
  }[];
  return `${delivery?.state} ${delivery?.evidence}`;
}

const contents = (answer: Record<string, unknown>) =>
  (answer["messages"] as { content: string; repeated?: true }[]).map(
    ({ content, repeated }) => `${content}${repeated ? " again" : ""}`,
  );

test("the next call over the bridge proves what the last answer held", async () => {
  const bridge = openBridge(hub.http, bob.token, "b1");
  await ann.send("bob", "hello", { id: "m-1" });

  expect(contents(await bridge.tool("check_messages"))).toEqual(["hello"]);
  expect(await stateOf("m-1")).toBe("offered inbox");

  await bridge.tool("list_agents");
  expect(await stateOf("m-1")).toBe("seen next_call");
});

test("a heartbeat, a list of tools, a repeat, an overlapping call and an unwritten answer prove nothing", async () => {
  const bridge = openBridge(hub.http, bob.token, "b1");
  await ann.send("bob", "hello", { id: "m-1" });
  expect(contents(await bridge.tool("check_messages", {}, { unwritten: true }))).toEqual(["hello"]);

  await bob.call("POST", "/api/agents/bob/heartbeat");
  await bridge.send("tools/list", {});
  await bridge.tool("list_agents");
  await bridge.tool("list_agents", {}, { again: 3 });
  expect(await stateOf("m-1")).toBe("offered inbox");

  const other = openBridge(hub.http, bob.token, "b2");
  await ann.send("bob", "second", { id: "m-2" });
  const open = other.tool("wait_for_message", { from: "user", timeout_seconds: 50 });
  await waiting(1);
  expect(contents(await other.tool("check_messages"))).toContain("second");
  await other.tool("list_agents");
  expect(await stateOf("m-2")).toBe("offered inbox");
  await hub.http.call("POST", `/api/agents/${bob.id}/messages`, {
    token: hub.operator,
    body: { message: "what it waits for" },
  });
  await open;
  await other.tool("list_agents");
  expect(await stateOf("m-2")).toBe("seen next_call");
});

test("an answer that its reader hung up on proves nothing", async () => {
  const bridge = openBridge(hub.http, bob.token, "b1");
  const hangUp = new AbortController();
  const cut = bridge.tool("wait_for_message", { timeout_seconds: 60 }, { signal: hangUp.signal });
  await waiting(1);
  hangUp.abort();
  await expect(cut).rejects.toThrow();
  await waiting(0);
  await ann.send("bob", "hello", { id: "m-1" });

  await bridge.tool("list_agents");

  expect(await stateOf("m-1")).toBe("accepted null");
});

test("tools do not hand out twice what is on its way; a call made again does, and so does a new connection", async () => {
  const bridge = openBridge(hub.http, bob.token, "b1");
  await ann.send("bob", "hello");

  expect(contents(await bridge.tool("check_messages", {}, { unwritten: true }))).toEqual(["hello"]);
  expect(contents(await bridge.tool("check_messages"))).toEqual([]);
  expect(contents(await bridge.tool("check_messages", {}, { again: 1 }))).toEqual(["hello again"]);
  expect(contents(await openBridge(hub.http, bob.token, "b2").tool("check_messages"))).toEqual([
    "hello again",
  ]);
});

test("what goes unproven comes again after its time, also to a wait that is open by then", async () => {
  const quick = await yard.start({ set: ["presence.offline_after=24h", "inbox.reoffer_after=2s"] });
  const [sender, reader] = await openPair(quick);
  const mcp = await connectMcp(quick, reader.token);
  await sender.send("bob", "hello", { id: "m-1" });
  expect(contents(await mcp.call("check_messages"))).toEqual(["hello"]);

  expect(await mcp.call("wait_for_message", { timeout_seconds: 50 })).toMatchObject({
    message: { id: "m-1", repeated: true },
    timed_out: false,
  });
});

test("a client without a bridge proves by the word that the answer gave it, or by a reply", async () => {
  const mcp = await connectMcp(hub, bob.token);
  await ann.send("bob", "one", { id: "m-1" });
  const { ack } = await mcp.call("check_messages");
  await ann.send("bob", "two", { id: "m-2" });

  expect(contents(await mcp.call("check_messages", { ack }))).toEqual(["two"]);
  expect(await stateOf("m-1")).toBe("seen ack");
  expect(await stateOf("m-2")).toBe("offered inbox");

  await mcp.call("send_message", { to: "ann", content: "yes", reply_to: "m-2" });
  expect(await stateOf("m-2")).toBe("answered reply");
  expect(await mcp.call("check_messages", { ack: "not a word!" })).toMatchObject({
    isError: true,
    code: "INVALID_INPUT",
  });
});

test("nobody acknowledges mail that they were not handed", async () => {
  const { json } = await ann.send("bob", "hello", { id: "m-1" });
  const word = (json["seq"] as number).toString(36);

  await (await connectMcp(hub, ann.token)).call("check_messages", { ack: word });
  await (await connectMcp(hub, bob.token)).call("check_messages", { ack: word, from: "user" });

  expect(await stateOf("m-1")).toBe("accepted null");
});

test("calls that are made again send, ask, tell and create once", async () => {
  const bridge = openBridge(hub.http, ann.token, "b1");
  const sent = await bridge.tool("send_message", { to: "bob", content: "once" });
  const asked = await bridge.tool("request_task", { description: "help" });
  const told = await bridge.tool("broadcast", { content: "hear" });
  const sessions = openBridge(hub.http, ann.token, "b2", "sessions");
  const wanted = { cwd: yard.home(), initialMessage: "!say begun" };
  const created = await sessions.tool("create_agent_session", wanted);

  expect(await bridge.tool("send_message", { to: "bob", content: "once" }, { again: 1 })).toEqual(sent);
  expect(await bridge.tool("request_task", { description: "help" }, { again: 2 })).toEqual(asked);
  expect(await bridge.tool("broadcast", { content: "hear" }, { again: 3 })).toEqual(told);
  expect(await sessions.tool("create_agent_session", wanted, { again: 1 })).toEqual(created);

  expect((await bob.inbox()).map(({ content }) => content)).toEqual(["once", "help", "hear"]);
  // Else it would be offered to the agents of other tests.
  await bob.call("POST", `/api/requests/${String(asked["request_id"])}/claim`);
  const { json } = await hub.http.call("GET", "/api/messages", { token: hub.operator });
  const begun = (json["messages"] as { content: string }[]).filter(({ content }) => content === "!say begun");
  expect(begun).toHaveLength(1);
});

test("a call that is made again after the hub was killed sends nothing twice", async () => {
  const set = ["presence.offline_after=24h"];
  const killed = await yard.start({ set });
  const [sender, reader] = await openPair(killed);
  const first = openBridge(killed.http, sender.token, "b1");
  const sent = await first.tool("send_message", { to: "bob", content: "once" });
  await killed.kill();
  const next = await yard.start({ home: killed.home, set });

  const second = openBridge(next.http, sender.token, "b1");
  expect(await second.tool("send_message", { to: "bob", content: "once" }, { again: 1 })).toEqual(sent);
  expect(await second.tool("send_message", { to: "bob", content: "other" }, { again: 1 })).toMatchObject({
    isError: true,
    code: "ID_REUSED",
  });
  expect((await memberAt(next.http, reader).inbox()).map(({ content }) => content)).toEqual(["once"]);
});

test("more mail than fits into a model comes in pages, each once", async () => {
  const mcp = await connectMcp(hub, bob.token, { set: "agent" });
  for (const n of [1, 2, 3]) await ann.send("bob", `${n}${"x".repeat(40_000)}`);
  const firsts = async () => {
    const answer = await mcp.call("check_messages");
    return { firsts: contents(answer).map((content) => content[0]), more: answer["more"] };
  };

  expect(await firsts()).toEqual({ firsts: ["1"], more: true });
  expect(await firsts()).toEqual({ firsts: ["2"], more: true });
  expect(await firsts()).toEqual({ firsts: ["3"], more: undefined });
  expect(await firsts()).toEqual({ firsts: [], more: undefined });
});
