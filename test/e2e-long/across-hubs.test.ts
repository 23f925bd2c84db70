import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";
import { askSide, createSides, pairSides, type Side } from "../fakes/hub-sides.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { patientCli } from "../fakes/run-cli.js";

/* Requests, agents and claims of linked hubs, as their users have them: real processes, real sockets. */

const yard = createHubYard();
const { startSide, startAgain } = createSides(yard);
let bmo: Side;
let r2d2: Side;
beforeAll(async () => {
  [bmo, r2d2] = await Promise.all([startSide("bmo"), startSide("r2d2")]);
  await pairSides(bmo, r2d2);
});
afterAll(() => yard.clear());

const PATIENCE = { timeout: PATIENCE_MS };

let pairs = 0;

/** An agent on each hub, of this test's own: `ann` on bmo, and `bob` on r2d2, which bmo calls `there`. */
async function openPair() {
  const pair = ++pairs;
  const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: `ann${pair}` });
  const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: `bob${pair}` });
  return { ann, bob, there: `${bob.name}@r2d2` };
}

type Row = { name: string; hub: string; status: string };

async function peersOf(side: Side): Promise<Row[]> {
  return ((await askSide(side, "GET", "/api/agents")).json["peers"] ?? []) as Row[];
}

async function statusOf(side: Side, name: string): Promise<string | undefined> {
  return (await peersOf(side)).find((row) => row.name === name)?.status;
}

async function openRequest(member: Member, fields: object): Promise<string> {
  // It does not expire before a busy machine comes to it.
  const body = { timeout_seconds: 3600, ...fields };
  const { status, json } = await member.call("POST", "/api/requests", { body });
  expect(status).toBe(201);
  return String(json["request_id"]);
}

async function showRequest(member: Member, id: string): Promise<Record<string, unknown>> {
  return (await member.call("GET", `/api/requests/${id}`)).json;
}

const claim = (member: Member, id: string) => member.call("POST", `/api/requests/${id}/claim`);

/** Again, as somebody does who is told that the other hub could not be asked in time. */
async function claimAtLast(member: Member, id: string): Promise<Record<string, unknown>> {
  return patiently(async () => {
    const { json } = await claim(member, id);
    expect(json["code"]).not.toBe("OWNER_UNREACHABLE");
    return json;
  });
}

test("the agents of a linked hub are listed beside one's own, and what changes there is told", async () => {
  const { ann, bob, there } = await openPair();
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("idle");
  expect((await askSide(bmo, "GET", "/api/agents")).json["agents"]).toMatchObject([{ name: ann.name }]);
  expect(await peersOf(bmo)).toContainEqual(expect.objectContaining({ name: "user@r2d2", person: true }));

  await bob.send("user", "I am at it", { type: "status", status: "busy" });
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("busy");
  await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "eve" });
  await expect.poll(() => statusOf(bmo, "eve@r2d2"), PATIENCE).toBe("idle");
  await bob.call("DELETE", `/api/agents/${bob.name}`);
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBeUndefined();

  const listed = await patientCli(["agents"], { env: { HUDDLE_HOME: bmo.hub.home } });
  expect(listed.stdout).toMatch(/ON OTHER HUBS +STATUS +KNOWN BY\neve@r2d2 +○ idle +r2d2 says so/);
});

test("pages go on with the agents of other hubs, and tools list them by the addresses to write to", async () => {
  const { ann, there } = await openPair();
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("idle");

  const names: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await askSide(bmo, "GET", `/api/agents?limit=1${query}`);
    const rows = [...(json["agents"] as Row[]), ...((json["peers"] ?? []) as Row[])];
    names.push(...rows.map(({ name }) => name));
    cursor = json["next"] as string | null;
  }
  expect(names).toEqual(["ann1", ann.name, there, "eve@r2d2", "user@r2d2"]);

  for (const set of ["huddle", "tabs", "agent"]) {
    const mcp = await connectMcp(bmo.hub, ann.token, { set });
    const { peers } = await mcp.call("list_agents", {});
    expect(peers).toContainEqual({ name: there, status: "idle" });
  }
});

test("a hub that cannot be reached has nobody there, until it is back", async () => {
  const { ann, there } = await openPair();
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("idle");
  await r2d2.hub.kill();
  await ann.send(there, "Are you there?");
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("offline");

  r2d2 = await startAgain(r2d2);
  await expect.poll(() => statusOf(bmo, there), PATIENCE).toBe("idle");
});

test("a request is claimed by an agent of another hub, and its answer ends it, though its hub was killed between", async () => {
  const { ann, bob } = await openPair();
  const id = await openRequest(ann, { description: "Which port?", hubs: ["r2d2"] });
  const there = `${id}@bmo`;
  await expect.poll(async () => (await showRequest(bob, there))["status"], PATIENCE).toBe("open");
  expect(await showRequest(bob, there)).toMatchObject({ from: `${ann.name}@bmo`, hub: "bmo" });
  expect(await bob.inbox()).toMatchObject([{ request_id: there, type: "request", trust: "peer" }]);

  expect(await claimAtLast(bob, there)).toMatchObject({ claimed: true, request: { claimed_by: bob.name } });
  expect(await showRequest(ann, id)).toMatchObject({ status: "claimed", claimed_by: `${bob.name}@r2d2` });

  await bmo.hub.kill();
  const answered = await bob.send(`${ann.name}@bmo`, "9224", { reply_to: there });
  expect(answered.status).toBe(202);
  bmo = await startAgain(bmo);
  const again = memberAt(bmo.hub.http, ann);
  await expect.poll(async () => (await showRequest(again, id))["status"], PATIENCE).toBe("answered");
  expect(await showRequest(again, id)).toMatchObject({
    claimed_by: `${bob.name}@r2d2`,
    answer_text: "9224",
  });
  await expect.poll(async () => (await showRequest(bob, there))["status"], PATIENCE).toBe("answered");
});

test("a claim whose hub is away is not given to anybody, and says so", async () => {
  const { ann, bob } = await openPair();
  const id = await openRequest(ann, { description: "Which port?", hubs: ["all"] });
  const there = `${id}@bmo`;
  await expect.poll(async () => (await showRequest(bob, there))["status"], PATIENCE).toBe("open");
  await bmo.hub.kill();

  expect(await claim(bob, there)).toMatchObject({
    status: 200,
    json: { claimed: false, code: "OWNER_UNREACHABLE", request: { status: "open" } },
  });
  const typed = await patientCli(["requests", "claim", there], { env: { HUDDLE_HOME: r2d2.hub.home } });
  expect(typed.code).not.toBe(0);
  expect(typed.stderr).toContain("could not be asked");

  bmo = await startAgain(bmo);
  const mcp = await connectMcp(r2d2.hub, bob.token, { set: "agent" });
  await patiently(async () =>
    expect(await mcp.call("claim_request", { request_id: there })).toMatchObject({ claimed: true }),
  );
});

type Claim = { task: string; owner: string; hub?: string; behind?: string };

async function claimsOf(side: Side): Promise<string[]> {
  const claims = (await askSide(side, "GET", "/api/claims")).json["claims"] as Claim[];
  return claims.map(({ owner, hub = "here", behind = "nobody" }) => `${owner} on ${hub}, behind ${behind}`);
}

test("a task that agents of two hubs claim is both theirs, both hubs know it, and the first goes first", async () => {
  const { ann, bob, there } = await openPair();
  const first = `${ann.name}@bmo`;
  const claim = { type: "coordination", action: "claim", task: "the login" };
  expect((await ann.call("POST", `/api/agents/${there}/messages`, { body: claim })).status).toBe(202);
  await expect.poll(() => claimsOf(r2d2), PATIENCE).toEqual([`${first} on bmo, behind nobody`]);

  const work = { task: "the login", action: "claim" };
  expect((await bob.call("POST", "/api/claims", { body: work })).json).toMatchObject({
    ok: true,
    peers: [{ owner: first, first: true }],
  });
  expect(await claimsOf(r2d2)).toEqual([
    `${bob.name} on here, behind ${first}`,
    `${first} on bmo, behind nobody`,
  ]);
  await expect
    .poll(() => claimsOf(bmo), PATIENCE)
    .toEqual([`${ann.name} on here, behind nobody`, `${there} on r2d2, behind ${ann.name}`]);
  const listed = await patientCli(["claims"], { env: { HUDDLE_HOME: bmo.hub.home } });
  expect(listed.stdout).toMatch(new RegExp(`the login +${there} .*on r2d2; ${ann.name} was first`));

  await bob.call("POST", "/api/claims", { body: { ...work, action: "release" } });
  await expect.poll(() => claimsOf(bmo), PATIENCE).toEqual([`${ann.name} on here, behind nobody`]);
  const log = () => readFileSync(join(r2d2.hub.home, "logs", "agent-comms.log"), "utf8");
  await expect.poll(log, PATIENCE).toMatch(/"direction":"received".*"type":"coordination"/);
});

test("a task is handed to an agent of another hub, and mail to the old address follows", async () => {
  const { ann, bob, there } = await openPair();
  const cid = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "cid" });
  const env = { HUDDLE_HOME: bmo.hub.home };
  const handed = await patientCli(
    ["handoff", ann.name, there, "The tests are left.", "--task", "the login", "--forward"],
    { env },
  );
  expect(handed).toMatchObject({ code: 0, stdout: expect.stringContaining(there) as unknown });
  expect(await bob.inbox("?wait=60")).toMatchObject([{ type: "handoff", from: "user@bmo" }]);

  expect((await cid.send(ann.name, "How far is it?")).json).toMatchObject({ target: there });
  await expect
    .poll(async () => (await bob.inbox()).map(({ content }) => content), PATIENCE)
    .toContain("How far is it?");
  expect((await askSide(bmo, "GET", `/api/agents/${ann.name}`)).json).toMatchObject({ forwards_to: there });

  expect(await patientCli(["handoff", ann.name, "--no-forward"], { env })).toMatchObject({ code: 0 });
  expect((await cid.send(ann.name, "And now?")).json).toMatchObject({ target: ann.name });
  expect(await ann.inbox()).toMatchObject([{ content: "And now?" }]);
});

test("agents of two hubs claim at once what a third asks for: one of them has it", async () => {
  const c3po = await startSide("c3po");
  await pairSides(bmo, c3po);
  const { ann, bob, there } = await openPair();
  const dot = await registerAgent(c3po.hub.http, c3po.hub.join, { name: "dot" });
  for (let round = 0; round < 3; round++) {
    const id = await openRequest(ann, { description: `round ${round}`, hubs: ["all"] });
    for (const member of [bob, dot])
      await expect
        .poll(async () => (await showRequest(member, `${id}@bmo`))["status"], PATIENCE)
        .toBe("open");
    // Each asks twice: the same call may come again.
    const claims = await Promise.all([bob, dot, bob, dot].map((member) => claimAtLast(member, `${id}@bmo`)));
    const won = claims.map((json) => json["claimed"]);
    expect(won[0]).not.toBe(won[1]);
    expect([won[2], won[3]]).toEqual([won[0], won[1]]);
    const winner = won[0] === true ? there : "dot@c3po";
    expect(await showRequest(ann, id)).toMatchObject({ status: "claimed", claimed_by: winner });
  }
  await c3po.hub.kill();
});

test("a request of another hub that was claimed goes along with a handoff, here and there; while that hub is away it stays, and is named", async () => {
  const { ann, bob } = await openPair();
  const fay = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "fay" });
  const dee = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "dee" });
  const id = await openRequest(bob, { description: "which port?", hubs: ["bmo"] });
  const here = `${id}@r2d2`;
  await expect.poll(async () => (await showRequest(ann, here))["status"], PATIENCE).toBe("open");
  expect(await claimAtLast(ann, here)).toMatchObject({ claimed: true });
  await dee.send(`${ann.name}@bmo`, "hello");
  await expect.poll(async () => (await ann.inbox()).length, PATIENCE).toBeGreaterThan(0);

  const handOver = (from: Member, to: string) =>
    from.call("POST", `/api/agents/${from.name}/handoff`, { body: { to, task: "ports", summary: "Ask." } });
  expect((await handOver(ann, "fay")).json["passed"]).toEqual({ work: [], requests: [here], kept: [] });
  expect(await showRequest(bob, id)).toMatchObject({ status: "claimed", claimed_by: "fay@bmo" });
  expect(await showRequest(fay, here)).toMatchObject({ status: "claimed", claimed_by: "fay" });

  expect((await handOver(fay, "dee@r2d2")).json["passed"]).toMatchObject({ requests: [here] });
  expect(await showRequest(bob, id)).toMatchObject({ status: "claimed", claimed_by: "dee" });
  const answered = await dee.call("POST", `/api/requests/${id}/answer`, { body: { message: "9224" } });
  expect(answered.status).toBeLessThan(300);
  await expect.poll(async () => (await showRequest(fay, here))["status"], PATIENCE).toBe("answered");

  const second = await openRequest(bob, { description: "which host?", hubs: ["bmo"] });
  await expect.poll(async () => (await showRequest(ann, `${second}@r2d2`))["status"], PATIENCE).toBe("open");
  expect(await claimAtLast(ann, `${second}@r2d2`)).toMatchObject({ claimed: true });
  await r2d2.hub.stop();
  const handed = await patientCli(["handoff", ann.name, "fay", "Ask.", "--task", "ports"], {
    env: { HUDDLE_HOME: bmo.hub.home },
  });
  expect(handed.stdout).toContain(`stays with ${ann.name}: ${second}@r2d2`);
});
