import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { journalSeq, type Member, registerAgent } from "../fakes/member.js";
import { nastyNames } from "../fakes/nasty-names.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
let home: string;

beforeAll(async () => {
  // Two folders down, so that a step upwards is seen.
  home = join(yard.home(), "outer", "inner");
  hub = await yard.start({ home, set: ["presence.offline_after=24h"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await registerAgent(hub.http, hub.join, { name: "ben" });
});
afterAll(() => yard.clear());

const names = nastyNames();

test(`${names.length} nasty names are refused as names, nothing is stored and no file is made`, async () => {
  expect(names.length).toBeGreaterThanOrEqual(200);
  const files = filesAround();
  const before = await journalSeq(hub.http, hub.operator);

  for (const name of names) {
    const answers = [
      await hub.http.call("POST", "/api/agents", { token: hub.join, body: { name } }),
      await ann.call("PUT", "/api/agents/ann", { body: { name } }),
    ];
    expect({ name, statuses: answers.map(({ status }) => status) }).toEqual({ name, statuses: [400, 400] });
    for (const { json } of answers) {
      expect(json["code"]).toMatch(/^(NAME_INVALID|NAME_RESERVED|INVALID_INPUT|BAD_JSON)$/);
      expect(json["error"]).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    }
  }

  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  expect(filesAround()).toEqual(files);
});

test.each(["", "Main", "a-b", "a b", "../x", "_a", "1a", "ralph", "a".repeat(65), "é"])(
  '"%s" is no team',
  async (team) => {
    const answer = await hub.http.call("POST", "/api/agents", { token: hub.join, body: { name: "t", team } });

    expect(answer.status).toBe(400);
  },
);

test(`${names.length} nasty names in a path answer in the 400s, nothing is stored and no file is made`, async () => {
  const files = filesAround();
  const before = await journalSeq(hub.http, hub.operator);

  for (const name of names) {
    const written = encodeURIComponent(name.toWellFormed());
    for (const [method, path, body] of [
      ["GET", `/api/agents/${written}`, undefined],
      ["PUT", `/api/agents/${written}`, { model: "m" }],
      ["DELETE", `/api/agents/${written}`, undefined],
      ["POST", `/api/agents/${written}/heartbeat`, undefined],
      ["POST", `/api/agents/${written}/messages`, { message: "x" }],
      ["GET", `/api/messages/${written}`, undefined],
      ["GET", `/api/inbox?from=${written}`, undefined],
    ] as const) {
      // These two are the person, who can be looked at and written to.
      if (name === "user" || name === "human") continue;
      if (name === "" && method === "GET") continue;
      const { status, json } = await ann.call(method, path, { body });
      expect({ name, method, path, ok: status >= 400 && status < 500 }).toEqual({
        name,
        method,
        path,
        ok: true,
      });
      expect(json["code"]).toEqual(expect.stringMatching(/^[A-Z_]+$/));
    }
  }

  expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  expect(filesAround()).toEqual(files);
});

test("the path that a client would have made of a climbing name leads nowhere either", async () => {
  for (const path of [
    "/api/agents/../../token",
    "/api/agents/..",
    "/../token",
    "/assets/..%2f..%2ftoken",
    "/%2e%2e/join",
  ]) {
    const { status, text } = await ann.call("GET", path);
    expect({ path, isRefused: status === 404 || status === 400 }).toEqual({ path, isRefused: true });
    expect(text).not.toContain("hud_");
  }
});

describe("a sender that is not the caller", () => {
  const forgeries = [
    "ben",
    "user",
    "human",
    "hub",
    "system",
    "all",
    "HumanOverseer",
    "ANN",
    "ann ",
    "аnn",
    "",
    "nobody",
    "../ann",
  ];

  test.each(forgeries)('"%s" is refused to an agent with 403, and nothing is stored', async (sender) => {
    const before = await journalSeq(hub.http, hub.operator);

    const answer = await ann.send("ben", "pay me", { sender });

    expect(answer).toMatchObject({ status: 403, json: { code: "SENDER_MISMATCH", delivered: false } });
    expect(await journalSeq(hub.http, hub.operator)).toBe(before);
  });

  test.each(["ann", "ben", "hub", "system", "operator"])(
    '"%s" is refused to the operator too',
    async (sender) => {
      const answer = await hub.http.call("POST", "/api/agents/ben/messages", {
        token: hub.operator,
        body: { message: "pay me", sender },
      });

      expect(answer).toMatchObject({ status: 403, json: { code: "SENDER_MISMATCH" } });
    },
  );

  test.each([
    ["from", "ben"],
    ["fromName", "ben"],
    ["source", "user"],
    ["trust", "human"],
    ["seq", 1],
  ])("cannot be slipped in as %s", async (field, value) => {
    const answer = await ann.send("ben", "pay me", { [field]: value });

    expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  });

  test.each([
    ["request", "POST /api/requests"],
    ["nudge", "POST /api/requests/:id/nudge"],
    ["broadcast", "POST /api/agents/broadcast"],
    ["system", "message"],
    ["shutdown", "POST /api/agents/:name/shutdown"],
  ])("cannot be the hub by the type %s", async (type, wayOut) => {
    const answer = await ann.send("ben", "pay me", { type });

    expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT", delivered: false } });
    expect(answer.json["error"]).toContain(wayOut);
  });

  test.each([
    ["notice", "claimed"],
    ["taskId", "t-1"],
    ["thread", "m-1"],
    ["requestId", "req-1"],
    ["request_id", "req-1"],
    ["claimed_by", "ben"],
    ["repeated", true],
    ["applet", "calendar"],
    ["fromSession", "someone"],
    ["conversation", "c"],
    ["hop", 0],
    ["causes", []],
    ["to", []],
  ])("and what only the hub states cannot be slipped in as %s", async (field, value) => {
    for (const answer of [
      await ann.send("ben", "pay me", { [field]: value }),
      await ann.call("POST", "/api/agents/broadcast", { body: { message: "pay me", [field]: value } }),
    ]) {
      expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    }
  });

  test("cannot be slipped in by metadata or a header: the message says who sent it", async () => {
    const { json } = await ann.call("POST", "/api/agents/ben/messages", {
      body: {
        message: "hello",
        sender: "ann",
        id: "true-sender",
        metadata: { sender: "user", type: "human" },
      },
      headers: { "x-forwarded-user": "user", "huddle-agent": "ben", from: "ben@example.org" },
    });
    expect(json).toMatchObject({ delivered: true });

    const receipt = await ann.receipt("true-sender");

    expect(receipt.json["message"]).toMatchObject({
      from: "ann",
      source: "agent",
      trust: "local",
      metadata: { sender: "ann", type: "inter-agent" },
    });
  });

  test("is not made true by the other's id: ids belong to their sender", async () => {
    const ben = await registerAgent(hub.http, hub.join, { name: "rival" });
    await ann.send("user", "mine", { id: "shared-id" });
    await ben.send("user", "also mine", { id: "shared-id" });

    expect((await ann.receipt("shared-id")).json["message"]).toMatchObject({ from: "ann", content: "mine" });
    expect((await ben.receipt("shared-id")).json["message"]).toMatchObject({
      from: "rival",
      content: "also mine",
    });
  });
});

describe("a recipient", () => {
  test("that is the sender itself is refused with 400", async () => {
    expect(await ann.send("ann", "me")).toMatchObject({
      status: 400,
      json: { code: "SELF_SEND", delivered: false },
    });
  });

  test("that does not exist answers 404 and says who does", async () => {
    const { status, json } = await ann.send("bem", "typo");

    expect({ status, ...json }).toMatchObject({
      status: 404,
      error: "Agent not found",
      delivered: false,
      did_you_mean: "ben",
    });
    expect(json["available"]).toEqual(expect.arrayContaining(["ann", "ben"]));
  });

  test("that was removed answers 410, and one that was renamed 404 with its new name", async () => {
    const short = await registerAgent(hub.http, hub.join, { name: "short-lived" });
    await short.call("DELETE", "/api/agents/short-lived");
    const mover = await registerAgent(hub.http, hub.join, { name: "mover" });
    await mover.call("PUT", "/api/agents/mover", { body: { name: "moved" } });

    expect(await ann.send("short-lived", "x")).toMatchObject({ status: 410, json: { code: "AGENT_GONE" } });
    expect(await ann.send("mover", "x")).toMatchObject({ status: 404, json: { renamed_to: "moved" } });
    expect((await ann.send("moved", "x")).status).toBe(202);
  });

  test("whose name fifty want at once goes to one of them; the others get a number", async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, () => registerAgent(hub.http, hub.join, { name: "wanted" })),
    );

    const given = all.map(({ name }) => name);
    expect(new Set(given).size).toBe(50);
    expect(given.filter((name) => name === "wanted")).toHaveLength(1);
    expect(given.every((name) => /^wanted(-\d+)?$/.test(name))).toBe(true);
  });
});

/** Everything in the data directory and in the two folders above it, but what the hub makes for itself, when it comes to it. */
function filesAround(): string[] {
  const all = readdirSync(dirname(dirname(home)), { recursive: true, encoding: "utf8" });
  return all.filter((name) => !/^outer\/inner\/(huddle[a-z-]*\.|hub\.|runtimes\.|logs\b)/.test(name)).sort();
}
