import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { memberAt, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;

/** Whoever writes again within ten minutes is quick, so that a slow machine changes nothing. */
const paced = (...delays: string[]) => ({
  paced: true,
  set: [`cooldown.delays=${JSON.stringify(delays)}`, "cooldown.quick=10m", "cooldown.reset=20m"],
});

beforeAll(async () => {
  hub = await yard.start(paced("10m"));
});
afterAll(() => yard.clear());

const join = (name: string, more = {}) => registerAgent(hub.http, hub.join, { name, ...more });

test("a quick second message is held, and shows as held", async () => {
  const [a, b] = [await join("quick"), await join("reader")];
  await a.send("reader", "one");

  const held = await a.send("reader", "two", { id: "held-one" });

  expect(held.json).toMatchObject({ delivered: true, state: "held", reason: "cooldown" });
  expect((await a.receipt("held-one")).json).toMatchObject({
    deliveries: [{ state: "held", reason: "cooldown" }],
  });
  expect((await b.call("GET", "/api/agents/quick")).json).toMatchObject({
    status: "rate_limited",
    state: "rate_limited",
    evidence: "mail that it sent is held by a cooldown",
  });
  expect((await b.inbox()).map(({ content }) => content)).toEqual(["one"]);
});

test("a held message wakes its reader when its time has come", async () => {
  const { http, join: token } = await yard.start(paced("2s"));
  const a = await registerAgent(http, token, { name: "quick" });
  const b = await registerAgent(http, token, { name: "reader" });
  await a.send("reader", "one");
  await b.ack((await b.inbox()).map(({ id }) => id));

  expect((await a.send("reader", "two")).json).toMatchObject({ state: "held", reason: "cooldown" });

  expect((await b.inbox("?wait=120")).map(({ content }) => content)).toEqual(["two"]);
});

test("a sender that asked for it is refused with the time to wait", async () => {
  const a = await join("hasty");
  await join("calm");
  await a.send("calm", "one");
  const refused = await a.send("calm", "two", { if_limited: "reject" });
  expect(refused.status).toBe(429);
  const { retry_after_ms: ms, ...said } = refused.json;
  expect(said).toMatchObject({ delivered: false, error: "Rate limited", code: "RATE_LIMITED" });
  expect(ms).toBeGreaterThan(0);
  expect(refused.headers["retry-after"]).toBe(String(Math.ceil(Number(ms) / 1000)));
});

test("a held message survives kill -9 and is still held", async () => {
  const [a, b] = [await join("before"), await join("after")];
  await a.send("after", "one");
  await a.send("after", "two", { id: "held-over" });
  const { home } = hub;
  await hub.kill();
  hub = await yard.start({ home, ...paced("10m") });

  const [reader, sender] = [memberAt(hub.http, b), memberAt(hub.http, a)];
  expect((await reader.inbox()).map(({ content }) => content)).toEqual(["one"]);
  expect((await sender.receipt("held-over")).json).toMatchObject({
    deliveries: [{ state: "held", reason: "cooldown" }],
  });
  expect((await sender.send("after", "three")).json).toMatchObject({ state: "held" });
});

test("a broadcast names whom it reached, and a team is only the team", async () => {
  const [a] = [
    await join("crier"),
    await join("red", { team: "crew" }),
    await join("blue", { team: "crew" }),
  ];
  const sent = await a.call("POST", "/api/agents/broadcast", {
    body: { message: "hello crew", team: "crew" },
  });
  expect([sent.status, sent.json]).toEqual([
    202,
    { message_id: expect.any(String) as unknown, delivered_to: ["blue", "red"], failed: [] },
  ]);
  const receipt = await a.receipt(String(sent.json["message_id"]));
  expect(receipt.json).toMatchObject({ deliveries: [{ to: "blue", state: "accepted" }, { to: "red" }] });
  const nobody = await a.call("POST", "/api/agents/broadcast", { body: { message: "x", team: "empty" } });
  expect([nobody.status, nobody.json["code"]]).toEqual([404, "NO_RECIPIENTS"]);
});
