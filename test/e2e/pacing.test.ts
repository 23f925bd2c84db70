import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { memberAt, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ paced: true, set: ['cooldown.delays=["3s","10m"]'] });
});
afterAll(() => yard.clear());

const join = (name: string, more = {}) => registerAgent(hub.http, hub.join, { name, ...more });

test("a quick second message is held, shows as held, and wakes its reader when its time has come", async () => {
  const [a, b] = [await join("quick"), await join("reader")];
  await a.send("reader", "one");
  await b.ack((await b.inbox()).map(({ id }) => id));

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
  expect((await b.inbox("?wait=20")).map(({ content }) => content)).toEqual(["two"]);
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

test("a held message survives kill -9 and comes at its time", async () => {
  const [a, b] = [await join("before"), await join("after")];
  await a.send("after", "one");
  await a.send("after", "two");
  await a.send("after", "three"); // ten minutes
  const { home } = hub;
  await hub.kill();
  hub = await yard.start({ home, paced: true });

  const reader = memberAt(hub.http, b);
  await reader.ack((await reader.inbox()).map(({ id }) => id));
  expect((await memberAt(hub.http, a).send("after", "four")).json).toMatchObject({ state: "held" });
  const states = await hub.http.call("GET", "/api/health", { token: hub.operator });
  expect(states.json["unread"]).toBeGreaterThanOrEqual(2);
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
