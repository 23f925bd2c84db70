import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startBridge } from "../fakes/bridge-process.js";
import { createHubYard, type HubProcess, unpaced } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { drainInbox, type Member, registerAgent } from "../fakes/member.js";
import { patientCli } from "../fakes/run-cli.js";

/* Two teams that each have an `ana`, over every surface. */

const yard = createHubYard();
let hub: HubProcess;
let alphaAna: Member;
let betaAna: Member;
let bob: Member;
let dora: Member;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h", ...unpaced] });
  const join = (name: string, team?: string) =>
    registerAgent(hub.http, hub.join, { name, ...(team === undefined ? {} : { team }) });
  [alphaAna, betaAna] = [await join("ana", "alpha"), await join("ana", "beta")];
  [bob, dora] = [await join("bob", "alpha"), await join("dora")];
});
afterAll(() => yard.clear());

const huddle = (...argv: string[]) => patientCli(argv, { env: { HUDDLE_HOME: hub.home } });
const asOperator = (method: string, path: string, body?: unknown) =>
  hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });

describe("over HTTP", () => {
  test("a path takes a name, a team with a name, and an id", async () => {
    expect((await bob.send("ana", "mine")).json).toMatchObject({ delivered: true, target: "ana" });
    expect((await bob.send("beta%2Fana", "theirs")).json).toMatchObject({ target: "beta/ana" });
    expect((await dora.send(alphaAna.id, "by id")).json).toMatchObject({ target: "alpha/ana" });

    expect((await drainInbox(alphaAna)).map(({ content }) => content)).toEqual(["mine", "by id"]);
    expect((await drainInbox(betaAna)).map(({ content }) => content)).toEqual(["theirs"]);
    const shown = await asOperator("GET", "/api/agents/alpha%2Fana");
    expect(shown.json).toMatchObject({ id: alphaAna.id, name: "alpha/ana", team: "alpha" });
  });

  test("an ambiguous name lists what is there; what is malformed or of another hub says so", async () => {
    const [ambiguous, malformed, elsewhere] = [
      await dora.send("ana", "?"),
      await dora.send("Ana%20Lee", "?"),
      await dora.send("ana@mini", "?"),
    ];

    expect(ambiguous).toMatchObject({
      status: 409,
      json: { delivered: false, code: "NAME_AMBIGUOUS", available: ["alpha/ana", "beta/ana"] },
    });
    expect(malformed).toMatchObject({ status: 400, json: { delivered: false, code: "TARGET_INVALID" } });
    expect(elsewhere).toMatchObject({
      status: 404,
      json: { delivered: false, code: "HUB_NOT_FOUND", hub: "mini" },
    });
  });

  test("each reader is shown the addresses that it can use, and pages are whole", async () => {
    const names = async (member: Member) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { json } = await member.call("GET", `/api/agents?limit=1${cursor}`);
        found.push(...(json["agents"] as { name: string }[]).map(({ name }) => name));
        if (json["next"] === null) return found;
        cursor = `&cursor=${encodeURIComponent(json["next"] as string)}`;
      }
    };

    expect(await names(bob)).toEqual(["ana", "beta/ana", "bob", "dora"]);
    expect(await names(dora)).toEqual(["alpha/ana", "beta/ana", "bob", "dora"]);
  });

  test("the sender of a message can be answered by the name that its reader is shown", async () => {
    await alphaAna.send("dora", "who are you?");
    const [mail] = await drainInbox(dora);

    expect(mail?.from).toBe("alpha/ana");
    const answer = await dora.send(encodeURIComponent(mail?.from ?? ""), "dora", { reply_to: mail?.id });
    expect(answer.status).toBe(202);
    expect((await drainInbox(alphaAna)).map(({ from, content }) => [from, content])).toEqual([
      ["dora", "dora"],
    ]);
    const found = await dora.call("GET", "/api/search?q=from:alpha/ana");
    expect((found.json["messages"] as { content: string }[]).map(({ content }) => content)).toEqual([
      "who are you?",
    ]);
  });

  test("a label is free text beside the name, and cannot pass for the person", async () => {
    const set = (label: string | null) => dora.call("PUT", "/api/agents/dora", { body: { label } });
    const labelOf = async () => (await dora.call("GET", "/api/agents/dora")).json["label"];

    expect((await set("Dora – the explorer")).status).toBe(200);
    expect(await labelOf()).toBe("Dora – the explorer");
    expect((await huddle("agents")).stdout).toContain("dora (Dora – the explorer)");
    expect((await set("User")).json).toMatchObject({ code: "NAME_RESERVED" });
    expect((await set(null)).status).toBe(200);
    expect(await labelOf()).toBeNull();
  });
});

describe("as tools", () => {
  test("send, wait and list use the same addresses", async () => {
    const [ana, reader] = [await connectMcp(hub, alphaAna.token), await connectMcp(hub, dora.token)];
    await ana.call("send_message", { to: "dora", content: "from a tool" });

    const json = await reader.call("wait_for_message", { from: "alpha/ana", timeout_seconds: 10 });

    expect(json).toMatchObject({ message: { from: "alpha/ana", content: "from a tool" } });
    expect(await reader.call("send_message", { to: "ana", content: "?" })).toMatchObject({
      delivered: false,
      code: "NAME_AMBIGUOUS",
    });
    const list = (await reader.call("list_agents"))["agents"] as { name: string }[];
    expect(list.map(({ name }) => name)).toEqual(["alpha/ana", "beta/ana", "bob", "dora"]);
  });

  test("set_tab_name takes a label as it is, and the name is made from it", async () => {
    const tab = await registerAgent(hub.http, hub.join, { name: "claude-code" });
    const { call } = await connectMcp(hub, tab.token, { set: "tabs" });

    expect(await call("set_tab_name", { name: "Chat" })).toEqual({
      success: true,
      previous_name: "claude-code",
      new_name: "chat",
      label: "Chat",
    });
    expect(await call("set_tab_name", { name: "聊天" })).toMatchObject({
      new_name: "chat",
      label: "聊天",
    });
    expect(await call("set_tab_name", { name: "puppet-dev" })).toEqual({
      success: true,
      previous_name: "chat",
      new_name: "puppet-dev",
    });
    expect((await tab.call("GET", "/api/agents/puppet-dev")).json["label"]).toBeNull();
    expect(await call("set_tab_name", { name: "Human" })).toMatchObject({
      success: false,
      code: "NAME_RESERVED",
    });
  });
});

test.each([
  [["--name", "ana", "--team", "gamma"], {}],
  [[], { HUDDLE_AGENT: "delta/ana" }],
])("a bridge joins the team that it is given: %j %j", async (args, env) => {
  const bridge = startBridge({ args, env: { HUDDLE_HOME: hub.home, ...env } });
  onTestFinished(() => bridge.kill());
  await bridge.join();
  await bridge.request("tools/call", { name: "list_agents", arguments: {} });

  const team = args.at(-1) ?? "delta";
  expect((await asOperator("GET", `/api/agents/${team}%2Fana`)).json).toMatchObject({ team });
});

test("a bridge says at once that its team cannot be one", async () => {
  const bridge = startBridge({ args: ["--team", "Not-A-Team"], env: { HUDDLE_HOME: hub.home } });
  onTestFinished(() => bridge.kill());

  expect(JSON.stringify(await bridge.join())).toContain("is not a team");
});

describe("on the command line", () => {
  test("--team says whose agent is meant", async () => {
    const sent = await huddle("send", "ana", "from the person", "--team", "beta", "--json");
    const ambiguous = await huddle("send", "ana", "?");
    const twice = await huddle("send", "alpha/ana", "?", "--team", "beta");

    expect(JSON.parse(sent.stdout)).toMatchObject({ target: "beta/ana", delivered: true });
    expect(ambiguous).toMatchObject({ code: 4, stdout: "" });
    expect(ambiguous.stderr).toContain("alpha/ana, or beta/ana");
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain("names a team already");
  });
});
