// PROTOCOL.md, 19: official clients, the bridge and a real hub.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BridgeOptions, type BridgeProcess, startBridge } from "../fakes/bridge-process.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { patiently } from "../fakes/patiently.js";
import { connectSdkClient, type SdkClient, type SdkClientOptions } from "../fakes/sdk-client.js";

const yard = createHubYard();
/** Shared by all tests that leave it running: each has agents of its own. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

const bridges = new Set<BridgeProcess>();
const clients = new Set<SdkClient>();
afterEach(async () => {
  await Promise.all([...clients].map((client) => client.close()));
  await Promise.all([...bridges].map((bridge) => bridge.kill()));
  clients.clear();
  bridges.clear();
});

async function connect(options: SdkClientOptions): Promise<SdkClient> {
  const client = await connectSdkClient(options);
  clients.add(client);
  return client;
}

function bridgeTo(home: string, options: BridgeOptions = {}): BridgeProcess {
  const bridge = startBridge({ ...options, env: { HUDDLE_HOME: home, ...options.env } });
  bridges.add(bridge);
  return bridge;
}

function folder(name: string): string {
  const above = mkdtempSync(join(tmpdir(), "huddle-bridge-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  mkdirSync(join(above, name));
  return join(above, name);
}

async function agentsOf(hub: HubProcess): Promise<Record<string, unknown>[]> {
  const { json } = await hub.http.call("GET", "/api/agents", { token: hub.operator });
  return json["agents"] as Record<string, unknown>[];
}

async function messagesOf(hub: HubProcess): Promise<{ content: string; from: string }[]> {
  const { json } = await hub.http.call("GET", "/api/messages", { token: hub.operator });
  return json["messages"] as { content: string; from: string }[];
}

test.each(["legacy", "modern"] as const)(
  "an official client of the %s era lists and calls tools",
  async (era) => {
    const cwd = folder(`shop-${era}`);
    const ann = await connect({ home: hub.home, name: "claude-code", era, cwd });
    const { tools } = await ann.client.listTools();
    expect(tools.map(({ name }) => name)).toContain("send_message");
    expect(ann.client.getInstructions()).toMatch(/Huddle/);
    expect(await ann.tool("send_message", { to: "user", content: "Hello" })).toMatchObject({
      delivered: true,
    });
    // The probe of the newer era ran in a bridge of its own, and left no second agent.
    expect((await agentsOf(hub)).filter(({ project }) => project === cwd)).toMatchObject([
      { name: `claude-shop-${era}`, backend: "claude-code", status: "idle" },
    ]);
  },
);

test("two official clients hold the conversation of a request, over stdio", async () => {
  const { home } = hub;
  const args = ["--tools", "agent"];
  const codex = await connect({ home, name: "codex-mcp-client", args: [...args, "--name", "codex"] });
  const gemini = await connect({
    home,
    name: "gemini-cli-mcp-client",
    args: [...args, "--name", "gemini"],
    era: "modern",
  });
  await gemini.tool("check_messages");

  const description = "Verify this SQL injection fix in config.ts:42";
  const asked = await codex.tool("request_task", { description, timeout_seconds: 3600 });
  expect(asked).toMatchObject({ status: "open" });
  const request_id = asked["request_id"];
  expect((await gemini.tool("check_messages"))["messages"]).toMatchObject([
    { type: "request", from: "codex", content: description, request_id },
  ]);
  expect(await gemini.tool("claim_request", { request_id })).toMatchObject({ claimed: true });
  expect((await codex.tool("check_messages"))["messages"]).toMatchObject([
    { type: "response", content: "claimed by gemini", request_id },
  ]);
  const waiting = codex.tool("wait_for_message", { request_id, timeout_seconds: 110 });
  await gemini.tool("send_message", {
    to: "codex",
    content: "Verified. Fix is correct.",
    reply_to: request_id,
  });
  expect(await waiting).toMatchObject({
    message: { from: "gemini", content: "Verified. Fix is correct.", type: "response" },
    timed_out: false,
  });
});

async function annAndWaitingBob() {
  const first = await yard.start();
  const { home } = first;
  // Whoever starts it again, which may be a bridge, starts one that slows nobody down.
  const unpaced =
    'cooldown: {delays: ["0s"], cap: 0}\nconversation: {hops: 1000, messages: 1000, unattended: 1000}\n';
  appendFileSync(join(home, "huddle.yaml"), unpaced);
  const ann = await connect({ home, name: "ann-client", args: ["--name", "ann"] });
  const bob = await connect({ home, name: "bob-client", args: ["--name", "bob"] });
  await ann.tool("list_agents");
  const waiting = bob.tool("wait_for_message", { timeout_seconds: 110 });
  await oneWaits(first);
  return { first, home, ann, waiting };
}

async function oneWaits(hub: HubProcess) {
  await patiently(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    expect(json["readers"]).toBe(1);
  });
}

test("a hub that is killed in the middle of a call is not noticed, and one message is stored", async () => {
  const { first, home, ann, waiting } = await annAndWaitingBob();
  // Some calls are answered, some are not, some come when it is gone: none of them may be lost or doubled.
  const sent = Array.from({ length: 20 }, (_, i) =>
    ann.tool("send_message", { to: "bob", content: `m${i}` }),
  );
  await sent[3];
  await first.kill();
  const late = ann.tool("send_message", { to: "bob", content: "late" });
  const second = await yard.startAgain(home);
  for (const receipt of await Promise.all([...sent, late]))
    expect(receipt).toMatchObject({ delivered: true });
  expect(await waiting).toMatchObject({ timed_out: false, message: { from: "ann" } });
  const contents = (await messagesOf(second)).map(({ content }) => content);
  expect(contents.toSorted()).toEqual([...Array.from({ length: 20 }, (_, i) => `m${i}`), "late"].toSorted());
  expect(second.port).not.toBe(first.port);
});

test("a hub that is stopped and started again is not noticed, and a wait goes on", async () => {
  const { first, home, ann, waiting } = await annAndWaitingBob();

  await first.stop();
  const sending = ann.tool("send_message", { to: "bob", content: "after the restart" });
  await yard.startAgain(home);

  expect(await sending).toMatchObject({ delivered: true });
  expect(await waiting).toMatchObject({ timed_out: false, message: { content: "after the restart" } });
});

test("a hub that is stopped stays stopped, however an agent waits", async () => {
  const hub = await yard.start();
  const bridge = bridgeTo(hub.home, { env: { HUDDLE_AGENT: "ann" } });
  await bridge.initialize();
  const answer = bridge.request("tools/call", {
    name: "wait_for_message",
    arguments: { timeout_seconds: 110 },
  });
  await oneWaits(hub);

  await hub.stop();

  expect((await answer).error?.data).toMatchObject({ code: "HUB_UNREACHABLE" });
  expect(existsSync(join(hub.home, "hub.json"))).toBe(false);
});

test("a hub is started where none runs, with nothing of the CLI's environment, and stays", async () => {
  const home = yard.home();
  const env = { HUDDLE_AGENT: "ann", SECRET_OF_CLI: "s3cret" };
  const bridge = bridgeTo(home, { env, cwd: folder("shop") });
  const { result } = await bridge.initialize();
  const { pid } = JSON.parse(readFileSync(join(home, "hub.json"), "utf8")) as { pid: number };
  onTestFinished(() => signalProcess(pid, "SIGKILL"));
  expect(result).toMatchObject({ serverInfo: { name: "huddle" } });
  bridge.end();
  await bridge.ended;
  expect(() => process.kill(pid, 0)).not.toThrow();
  if (process.platform === "linux") {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    expect(environment).toContain(`HUDDLE_HOME=${home}`);
    expect(environment).not.toMatch(/s3cret|HUDDLE_AGENT/);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
  }
});

test("a hub that refuses to start is said in its own words", async () => {
  const home = yard.home();
  writeFileSync(join(home, "huddle.yaml"), "no_such_key: 1\n");
  const bridge = bridgeTo(home);
  const { error } = await bridge.initialize();
  expect(error?.data).toMatchObject({ code: "CONFIG_INVALID" });
  expect(error?.message).toContain("no_such_key");
});

test("an agent that the operator removes hears it, and stays away", async () => {
  const ann = await connect({ home: hub.home, name: "x", args: ["--name", "removed"] });
  await ann.tool("list_agents");
  await hub.http.call("DELETE", "/api/agents/removed", { token: hub.operator });
  expect(await ann.tool("list_agents")).toMatchObject({ code: "AGENT_GONE" });
  expect((await agentsOf(hub)).map(({ name }) => name)).not.toContain("removed");
});

test("mail that came while the CLI was closed is there when it starts again", async () => {
  const cwd = folder("yard");
  const first = await connect({ home: hub.home, name: "claude-code", cwd });
  await first.tool("check_messages");
  await first.close();
  clients.delete(first);
  const sent = await hub.http.call("POST", "/api/agents/claude-yard/messages", {
    token: hub.operator,
    body: { message: "Welcome back" },
  });
  expect(sent.status).toBe(202);
  const second = await connect({ home: hub.home, name: "claude-code", cwd });
  expect((await second.tool("check_messages"))["messages"]).toMatchObject([{ content: "Welcome back" }]);
  expect((await agentsOf(hub)).filter(({ project }) => project === cwd)).toHaveLength(1);
});

test("an answer that was written proves the mail in it, with the next call", async () => {
  const ann = await connect({ home: hub.home, name: "x", args: ["--name", "prover"] });
  await ann.tool("list_agents");
  const { json } = await hub.http.call("POST", "/api/agents/prover/messages", {
    token: hub.operator,
    body: { message: "Read me" },
  });
  await ann.tool("check_messages");
  await ann.tool("list_agents");
  const status = await hub.http.call("GET", `/api/messages/${String(json["message_id"])}`, {
    token: hub.operator,
  });
  expect(status.json["deliveries"]).toMatchObject([{ state: "seen", evidence: "next_call" }]);
});

test("an orchestrator's identity file gives its tools, and huddle mcp is the same program", async () => {
  const { home } = hub;
  const main = resolve("dist/main.js");
  const env = { PATH: process.env["PATH"], HUDDLE_HOME: home };
  const made = execFileSync(
    process.execPath,
    [main, "identity", "orch", "--role", "orchestrator", "--json"],
    { env },
  );
  const { file } = JSON.parse(made.toString("utf8")) as { file: string };
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n';
  const args = [main, "mcp", "--identity", file, "--tools", "orchestrator"];
  const said = execFileSync(process.execPath, args, { env, input: list }).toString("utf8");
  const { result } = JSON.parse(said) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toContain("get_agent_status");
});

test("what the hub does not take is refused, and the bridge goes on", async () => {
  const { home } = hub;
  const bridge = bridgeTo(home, { args: ["--name", "refused"] });
  await bridge.initialize();
  const large = await bridge.request("tools/call", {
    name: "send_message",
    arguments: { to: "user", content: "x".repeat(5_000_000) },
  });
  expect(JSON.stringify(large)).toContain("BODY_TOO_LARGE");
  expect((await bridge.request("no/such/method")).error?.code).toBe(-32601);
  expect(JSON.stringify(await bridge.request("tools/call", { name: "no_such_tool" }))).toContain(
    "TOOL_NOT_FOUND",
  );
  const wrong = bridgeTo(home, { args: ["--name", "not legal"] });
  expect((await wrong.initialize()).error?.data).toMatchObject({
    code: "NAME_INVALID",
    suggestion: "not-legal",
  });
  const noSet = bridgeTo(home, { args: ["--tools", "none"] });
  expect((await noSet.initialize()).error?.data).toMatchObject({ code: "INVALID_INPUT" });
});
