import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ set: ["events.ticket_life=10m", "inbox.wait_max=1h"] });
});
afterAll(() => yard.clear());

const join = (name: string) => registerAgent(hub.http, hub.join, { name });
const remove = (agent: Member) =>
  hub.http.call("DELETE", `/api/agents/${agent.name}`, { token: hub.operator });
const ticketOf = async (agent: Member) => String((await agent.call("POST", "/auth/ticket")).json["ticket"]);

describe("an agent that is removed", () => {
  test.each([
    ["WebSocket", openWebSocket],
    ["server-sent events", openServerSentEvents],
  ])("loses its open %s, and is told why", async (_, open) => {
    const agent = await join("watcher");
    const stream = await open(hub.url, { token: agent.token });
    await stream.until(({ type }) => type === "ready");

    await remove(agent);

    await stream.ended;
    expect(stream.frames.at(-1)).toMatchObject({ type: "dropped", reason: "the agent has left" });
  });

  test("loses its open wait at once", async () => {
    const agent = await join("waiter");
    const wait = agent.call("GET", "/api/inbox?wait=3600");
    await patiently(async () => {
      const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
      expect(json["readers"]).toBe(1);
    });

    await remove(agent);

    // Long before its time is up.
    await wait;
    expect((await agent.call("GET", "/api/inbox")).status).toBe(401);
  });

  test("cannot use a ticket that it got before", async () => {
    const agent = await join("ticket-holder");
    const ticket = await ticketOf(agent);
    await remove(agent);

    await expect(openWebSocket(hub.url, { query: `?ticket=${ticket}` })).rejects.toMatchObject({
      status: 401,
    });
  });

  test("does not come back by registering its name again", async () => {
    const agent = await join("phoenix");
    await remove(agent);
    const successor = await join("phoenix");

    expect(successor.token).not.toBe(agent.token);
    expect((await agent.call("GET", "/api/inbox")).status).toBe(401);
    expect((await successor.call("GET", "/api/inbox")).status).toBe(200);
  });

  test("stays out after a restart of the hub", async () => {
    const home = yard.home();
    const first = await yard.start({ home });
    const gone = await registerAgent(first.http, first.join, { name: "gone" });
    const kept = await registerAgent(first.http, first.join, { name: "kept" });
    await gone.call("DELETE", "/api/agents/gone");
    await first.kill();

    const second = await yard.start({ home });

    expect((await memberAt(second.http, gone).call("GET", "/api/inbox")).status).toBe(401);
    expect((await memberAt(second.http, kept).call("GET", "/api/inbox")).status).toBe(200);
  });
});

describe("a ticket", () => {
  test("opens one WebSocket as its agent, and no second one", async () => {
    const agent = await join("single");
    const query = `?ticket=${await ticketOf(agent)}`;

    const stream = await openWebSocket(hub.url, { query });
    await stream.until(({ type }) => type === "ready");

    await expect(openWebSocket(hub.url, { query })).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining("ask for a new one: POST /auth/ticket") as unknown,
    });
    stream.close();
  });

  test("opens one of twenty that race for it", async () => {
    const query = `?ticket=${await ticketOf(await join("racer"))}`;

    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => openWebSocket(hub.url, { query })),
    );

    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) if (attempt.status === "fulfilled") attempt.value.close();
  });

  test("is worth nothing once its time is up", async () => {
    const { url, http, join: token } = await yard.start({ set: ["events.ticket_life=1s"] });
    const query = `?ticket=${await ticketOf(await registerAgent(http, token, { name: "late" }))}`;
    await sleep(1200);

    await expect(openWebSocket(url, { query })).rejects.toMatchObject({ status: 401 });
  });

  test("is no token for anything else", async () => {
    const ticket = await ticketOf(await join("curious"));

    expect((await hub.http.call("GET", "/api/inbox", { token: ticket })).status).toBe(401);
    expect((await hub.http.call("GET", `/api/inbox?ticket=${ticket}`)).status).toBe(401);
    await expect(openServerSentEvents(hub.url, { query: `?ticket=${ticket}` })).rejects.toMatchObject({
      status: 401,
    });
  });

  test("is not given to the join token", async () => {
    expect((await hub.http.call("POST", "/auth/ticket", { token: hub.join })).status).toBe(403);
  });
});
