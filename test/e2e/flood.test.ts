import { afterEach, beforeEach, expect, test } from "vitest";
import { openServerSentEvents } from "../fakes/event-streams.js";
import { createHubYard, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

test("one agent that asks, writes and opens all it can stops neither the others nor the person", async () => {
  const hub = await yard.start({
    paced: true,
    set: ["inbox.cap=12", "inbox.room=3", "inbox.agent_readers=2", "events.agent_readers=2"],
  });
  const [mallory, ann, ben] = [
    await registerAgent(hub.http, hub.join, { name: "mallory" }),
    await registerAgent(hub.http, hub.join, { name: "ann" }),
    await registerAgent(hub.http, hub.join, { name: "ben" }),
  ];
  const post = (token: string, path: string, body: object) => hub.http.call("POST", path, { token, body });

  const asked = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      post(mallory.token, "/api/requests", { description: `flood ${i}`, timeout_seconds: 86_400 }),
    ),
  );
  expect(asked.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = asked
    .filter(({ status }) => status !== 201)
    .map(({ status, json }) => [status, json["code"]]);
  expect(new Set(refused.map(String))).toEqual(new Set(["429,REQUESTS_FULL"]));

  const sessions = [];
  for (let i = 0; i < 30; i++) sessions.push(await post(mallory.token, "/api/sessions", { cwd: "/tmp" }));
  expect(sessions.filter(({ status }) => status === 201)).toHaveLength(25);
  expect(sessions.at(-1)).toMatchObject({ status: 429, json: { code: "HOSTED_LIMIT" } });

  expect((await ann.send("ben", "honest")).status).toBe(202);
  expect(await post(hub.operator, "/api/agents/ben/messages", { message: "stop" })).toMatchObject({
    status: 202,
  });
  expect(await post(ann.token, "/api/requests", { description: "help" })).toMatchObject({ status: 201 });
  expect(await post(ann.token, "/api/sessions", { cwd: "/tmp" })).toMatchObject({ status: 201 });

  const open = () => openServerSentEvents(hub.url, { token: mallory.token });
  await Promise.all([open(), open()]);
  const third = await hub.http.call("GET", "/api/events", {
    token: mallory.token,
    headers: { accept: "text/event-stream" },
  });
  expect(third).toMatchObject({ status: 429, json: { code: "TOO_MANY_READERS" } });
  await openServerSentEvents(hub.url, { token: ben.token });
  await openServerSentEvents(hub.url, { token: hub.operator });
});

test("an agent waits in so many places and no more; another and the person wait as well", async () => {
  const hub = await yard.start({ set: ["inbox.agent_readers=2", "inbox.readers=3"] });
  const agents = [];
  for (const name of ["mallory", "ann", "ben"])
    agents.push(await registerAgent(hub.http, hub.join, { name }));
  const [mallory = "", ann = "", ben = ""] = agents.map(({ token }) => token);
  const wait = (token: string) => hub.http.call("GET", "/api/inbox?wait=60", { token });
  const waiting = async (count: number) => {
    for (;;) {
      const { json } = await hub.http.call("GET", "/api/health", { token: ann });
      if (json["readers"] === count) return;
    }
  };

  const waits = [wait(mallory), wait(mallory)];
  await waiting(2);
  expect(await wait(mallory)).toMatchObject({ status: 429, json: { code: "TOO_MANY_READERS", limit: 2 } });
  waits.push(wait(ann));
  await waiting(3);
  expect(await wait(ben)).toMatchObject({ status: 429, json: { code: "TOO_MANY_READERS", limit: 3 } });
  waits.push(wait(hub.operator));
  await waiting(4);

  await hub.stop();
  await Promise.allSettled(waits);
});
