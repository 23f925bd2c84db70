import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { patientCli } from "../fakes/run-cli.js";

const yard = createHubYard();
let hub: HubProcess;
let n = 0;

beforeAll(async () => {
  hub = await yard.start({ set: ["presence.dead_after=5s", "requests.max=1h"] });
});
afterAll(() => yard.clear());

/** Three agents that nobody else has heard of; names get a number. */
async function team(): Promise<[Member, Member, Member]> {
  n++;
  const join = (name: string) => registerAgent(hub.http, hub.join, { name: `${name}-${n}` });
  return [await join("codex"), await join("gemini"), await join("qwen")];
}

type Claim = { task: string; owner: string; expires_in_seconds: number };

const post = (member: Member, path: string, body?: unknown): Promise<Answer> =>
  member.call("POST", path, body === undefined ? {} : { body });

async function ask(member: Member, fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await post(member, "/api/requests", {
    description: "Verify this fix",
    timeout_seconds: 600,
    ...fields,
  });
  expect(answer.status).toBe(201);
  const { request_id, ...rest } = answer.json;
  expect(rest).toEqual({ status: "open" });
  expect(request_id).toMatch(/^req-/);
  return String(request_id);
}

test("request, claim, respond, as in the document of the bridge", async () => {
  const [codex, gemini, qwen] = await team();

  const id = await ask(codex, { context: "config.ts:42" });
  const request = {
    id,
    request_id: id,
    type: "request",
    from: codex.name,
    to: "all",
    content: "Verify this fix",
  };
  expect(await gemini.inbox()).toMatchObject([{ ...request, context: "config.ts:42" }]);

  const claim = await post(gemini, `/api/requests/${id}/claim`);
  expect(claim.status).toBe(200);
  expect(claim.json).toMatchObject({
    claimed: true,
    request: { status: "claimed", claimed_by: gemini.name },
  });
  const lost = await post(qwen, `/api/requests/${id}/claim`);
  expect(lost).toMatchObject({ status: 200, json: { claimed: false, request: { claimed_by: gemini.name } } });
  expect(await qwen.inbox()).toMatchObject([{ ...request, claimed_by: gemini.name }]);

  expect(await codex.inbox()).toMatchObject([
    { type: "response", content: `claimed by ${gemini.name}`, request_id: id },
  ]);
  const waiting = codex.inbox(`?request_id=${id}&wait=60`);
  const sent = await gemini.send(codex.name, "Verified. Fix is correct", { reply_to: id });
  expect(sent.status).toBe(202);
  expect(await waiting).toMatchObject([
    {
      type: "response",
      from: gemini.name,
      content: "Verified. Fix is correct",
      request_id: id,
      reply_to: id,
    },
  ]);

  const shown = await codex.call("GET", "/api/requests?status=answered&limit=1");
  expect(shown.json["requests"]).toMatchObject([{ request_id: id, answer: sent.json["message_id"] }]);
  const toOthers = await qwen.call("GET", "/api/requests?status=answered&limit=1");
  expect((toOthers.json["requests"] as object[])[0]).not.toHaveProperty("answer");
});

test("an unclaimed request is nudged at half of its time, expires, and its requester is told", async () => {
  const [codex, gemini] = await team();
  // Half of it is long enough to read the request before the nudge comes, also on a busy machine.
  const id = await ask(codex, { timeout_seconds: 12 });
  await gemini.ack((await gemini.inbox()).map((message) => message.id));

  expect(await gemini.inbox("?wait=60")).toMatchObject([{ type: "nudge", request_id: id }]);
  expect(await codex.inbox(`?request_id=${id}&wait=60`)).toMatchObject([
    { type: "system", from: "hub", attention: "fyi", request_id: id },
  ]);
  expect(await post(gemini, `/api/requests/${id}/claim`)).toMatchObject({
    status: 410,
    json: { code: "REQUEST_EXPIRED" },
  });
});

test("a claimer that promised heartbeats and falls silent loses its claim", async () => {
  const [codex] = await team();
  const silent = await registerAgent(hub.http, hub.join, { name: "silent", heartbeat: true });
  const id = await ask(codex);
  await post(silent, `/api/requests/${id}/claim`);
  await post(silent, "/api/claims", { task: `of silent ${n}`, action: "claim" });
  await codex.ack((await codex.inbox()).map((message) => message.id));

  expect(await codex.inbox("?wait=60")).toMatchObject([{ type: "system", request_id: id }]);
  expect((await codex.call("GET", "/api/requests?limit=1")).json["requests"]).toMatchObject([
    { request_id: id, status: "open", nudges: 1 },
  ]);
  expect((await post(codex, "/api/claims", { task: `of silent ${n}`, action: "claim" })).json).toMatchObject({
    ok: true,
  });
});

test("tasks: one owner, and a lease that can be seen", async () => {
  const [a, b] = await team();
  const task = `Telegram message chunking ${n}`;

  const claimed = await post(a, "/api/claims", { task, action: "claim", lease_seconds: 3600 });
  expect(claimed).toMatchObject({ status: 200, json: { ok: true, owner: a.name } });
  expect((await post(b, "/api/claims", { task, action: "claim" })).json).toEqual({
    ok: false,
    owner: a.name,
  });
  const { claims } = (await b.call("GET", "/api/claims?limit=1000")).json as { claims: Claim[] };
  const shown = claims.find((claim) => claim.task === task);
  expect(shown?.owner).toBe(a.name);
  expect(shown?.expires_in_seconds).toBeGreaterThan(3000);
  expect(shown?.expires_in_seconds).toBeLessThanOrEqual(3600);
  expect((await post(a, "/api/claims", { task, action: "release" })).json).toEqual({ ok: true, owner: null });
});

describe("refusals", () => {
  test.each([
    ["no description", "/api/requests", {}],
    ["an empty description", "/api/requests", { description: "" }],
    ["timeout 0", "/api/requests", { description: "x", timeout_seconds: 0 }],
    ["a negative timeout", "/api/requests", { description: "x", timeout_seconds: -1 }],
    ["a timeout in words", "/api/requests", { description: "x", timeout_seconds: "ten" }],
    ["an unknown field", "/api/requests", { description: "x", timeout: 5 }],
    ["an id of 101 characters", "/api/requests", { description: "x", id: "x".repeat(101) }],
    ["lease 0", "/api/claims", { task: "x", action: "claim", lease_seconds: 0 }],
    ["a lease in words", "/api/claims", { task: "x", action: "claim", lease_seconds: "an hour" }],
    ["an unknown action", "/api/claims", { task: "x", action: "steal" }],
    ["a task of two lines", "/api/claims", { task: "a\nb", action: "claim" }],
    ["a task of spaces", "/api/claims", { task: "  ", action: "claim" }],
    ["a task with an escape", "/api/claims", { task: "a\u001b[2Jb", action: "claim" }],
    ["a task of 501 characters", "/api/claims", { task: "x".repeat(501), action: "claim" }],
  ])("%s is 400, and nothing is stored", async (_, path, body) => {
    const [a] = await team();
    const before = await a.call("GET", `${path}?limit=1000`);
    expect(await post(a, path, body)).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    expect((await a.call("GET", `${path}?limit=1000`)).json).toHaveProperty(
      path === "/api/claims" ? "claims.length" : "requests.length",
      Object.values(before.json).find((value) => Array.isArray(value))?.length,
    );
  });

  test("a missing request is 404, one's own 403, another's claim 403, an answered one 409", async () => {
    const [codex, gemini, qwen] = await team();
    const id = await ask(codex);
    const code = ({ status, json }: Answer) => `${status} ${String(json["code"])}`;

    for (const verb of ["claim", "nudge"]) {
      expect(code(await post(gemini, `/api/requests/req-none/${verb}`))).toBe("404 REQUEST_NOT_FOUND");
    }
    expect(code(await gemini.call("GET", "/api/inbox?request_id=req-none"))).toBe("404 REQUEST_NOT_FOUND");
    expect(code(await post(codex, `/api/requests/${id}/claim`))).toBe("403 OWN_REQUEST");
    await post(gemini, `/api/requests/${id}/claim`);
    const answer = { message: "me" };
    expect(code(await post(qwen, `/api/requests/${id}/answer`, answer))).toBe("403 NOT_CLAIMER");
    expect((await post(gemini, `/api/requests/${id}/answer`, answer)).status).toBe(200);
    expect(code(await post(qwen, `/api/requests/${id}/answer`, answer))).toBe("409 REQUEST_ANSWERED");
    expect(code(await qwen.send(codex.name, "late", { reply_to: id }))).toBe("409 REQUEST_ANSWERED");
  });

  test("a time above the maximum is shortened, not refused", async () => {
    const [codex] = await team();
    const id = await ask(codex, { timeout_seconds: 1e9 });
    const { requests } = (await codex.call("GET", "/api/requests?limit=1")).json as { requests: object[] };
    expect(requests).toMatchObject([{ request_id: id, timeout_seconds: 3600 }]);
  });
});

describe("from the command line", () => {
  const as = (token: string) => (argv: string[]) =>
    patientCli(argv, { env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: token } });

  test("a request is posted, nudged, claimed and done", async () => {
    const [codex, gemini] = await team();
    const [asker, helper] = [as(codex.token), as(gemini.token)];

    const posted = await asker(["requests", "post", "Is it ready?", "--for", "10m", "--json"]);
    const { request_id: id } = JSON.parse(posted.stdout) as { request_id: string };
    const nudged = await asker(["requests", "nudge", id]);
    expect(nudged.stdout).toMatch(/^✓ All agents are reminded; it waits for another 9m \d+s/);
    expect(await asker(["requests", "claim", id])).toMatchObject({ code: 5 });
    expect(await helper(["requests", "claim", id])).toEqual({
      code: 0,
      stdout: `✓ It is yours. ${codex.name} asks:\n\nIs it ready?\n`,
      stderr: "",
    });
    expect(await helper(["requests", "done", id, "It is."])).toMatchObject({
      code: 0,
      stdout: `✓ ${codex.name} has your answer in its inbox\n`,
    });
    expect((await codex.inbox()).map(({ content }) => content)).toContain("It is.");
    const listed = await asker(["requests", "--status", "answered"]);
    expect(listed.stdout).toMatch(/^REQUEST +STATUS +FROM +CLAIMED BY +POSTED +WHAT\n/);
    expect(listed.stdout).toMatch(
      new RegExp(`${id.slice(-6)} +answered +${codex.name} +${gemini.name} +.* Is it ready\\?`),
    );
    expect(await asker(["requests", "claim", "req-none"])).toMatchObject({ code: 4 });
  });

  test("a task is claimed, shown and released", async () => {
    const [a, b] = await team();
    const task = `write the docs ${n}`;

    expect(await as(a.token)(["claims", "claim", task, "--for", "2h"])).toMatchObject({
      code: 0,
      stdout: `✓ "${task}" is yours\n`,
    });
    expect((await as(b.token)(["claims", "claim", task])).stdout).toBe(`${a.name} has "${task}".\n`);
    expect((await as(b.token)(["claims"])).stdout).toMatch(
      new RegExp(`${task} +${a.name} +just now +1h 59m`),
    );
    expect((await as(a.token)(["claims", "release", task])).stdout).toBe(`✓ "${task}" is free\n`);
  });
});
