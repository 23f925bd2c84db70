import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { registerAgent } from "../fakes/member.js";
import { type RawResult, toolAnswer } from "../fakes/tool-answer.js";

const yard = createHubYard();
let hub: HubProcess;
beforeAll(async () => {
  hub = await yard.start({ set: ["presence.offline_after=24h"] });
});
afterAll(() => yard.clear());

test("fifty clients that number their requests alike: no answer goes to another", async () => {
  const members = await Promise.all(
    Array.from({ length: 50 }, (_, i) => registerAgent(hub.http, hub.join, { name: `client-${i}` })),
  );
  const crossed: string[] = [];

  await Promise.all(
    members.map(async (member) => {
      for (let id = 0; id < 12; id++) {
        const { json } = await member.call("POST", "/mcp", {
          headers: { accept: "application/json, text/event-stream" },
          body: { jsonrpc: "2.0", id, method: "tools/call", params: { name: "list_agents", arguments: {} } },
        });
        const { self } = toolAnswer(json["result"] as RawResult);
        if (json["id"] !== id || self !== member.name)
          crossed.push(`${member.name} ${id}: ${JSON.stringify(json)}`);
      }
    }),
  );

  expect(crossed).toEqual([]);
});

test("one winner of each request and each task, with claims over tools and over HTTP at once", async () => {
  const asker = await registerAgent(hub.http, hub.join, { name: "asker" });
  const racers = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const member = await registerAgent(hub.http, hub.join, { name: `racer-${i}` });
      return {
        member,
        mcp: await connectMcp(hub, member.token, { era: i % 2 === 0 ? "2025-11-25" : "2026-07-28" }),
      };
    }),
  );

  for (let round = 0; round < 8; round++) {
    const { json } = await asker.call("POST", "/api/requests", {
      body: { description: `round ${round}`, timeout_seconds: 3600 },
    });
    const { request_id } = json as { request_id: string };
    const claims = await Promise.all(
      racers.flatMap(({ member, mcp }) => [
        mcp.call("claim_request", { request_id }).then(({ claimed }) => claimed && member.name),
        member
          .call("POST", `/api/requests/${request_id}/claim`)
          .then((answer) => answer.json["claimed"] === true && member.name),
      ]),
    );
    const task = `task ${round}`;
    const owners = await Promise.all(
      racers.flatMap(({ member, mcp }) => [
        mcp.call("claim_work", { task }).then(({ ok }) => ok === true && member.name),
        member
          .call("POST", "/api/claims", { body: { task, action: "claim" } })
          .then((answer) => answer.json["ok"] === true && member.name),
      ]),
    );

    expect(new Set(claims.filter((name) => name !== false)).size).toBe(1);
    expect(new Set(owners.filter((name) => name !== false)).size).toBe(1);
  }
});
