// PROTOCOL.md, 20.11: what agents are told of a stop of the hub, and that it is gone with the hub.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import {
  eventually,
  processesOf,
  reaches,
  spawnAgent,
  startHostingHub,
  stateOf,
} from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";

const yard = createHubYard();
afterEach(yard.clear);

const idOf = async (sent: ReturnType<Member["send"]>) => String((await sent).json["message_id"]);

/** What the agent said in its last turn. */
async function lastWords(hub: HubProcess, id: string, holding: string): Promise<string> {
  return eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/sessions/${id}/state`, { token: hub.operator });
    const { role, content } = json["lastMessage"] as { role: string; content: string };
    return role === "assistant" && content.includes(holding) ? content : undefined;
  }, `it says ${holding}`);
}

async function inTurn(script: string, set: string[] = []) {
  const hub = await startHostingHub(yard, { set });
  const bob = await spawnAgent(hub, { name: "bob", project: yard.home() });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  await reaches(hub, await idOf(ann.send("bob", script)), "injected");
  return { hub, bob, ann };
}

test("an agent that the hub runs gets a shutdown as the answer to its wait, ends its turn, and is taken up again without it", async () => {
  const { hub, bob, ann } = await inTurn('!tool wait_for_message {"timeout_seconds":100}');
  await eventually(async () => ((await stateOf(hub, "bob")) === "listening" ? true : undefined), "it waits");

  expect(await hub.stop()).toMatchObject({ code: 0, signal: null });
  expect(processesOf(bob.id)).toEqual([]);

  const next = await startHostingHub(yard, { home: hub.home });
  const heard = await lastWords(next, bob.id, "The hub stops now");
  expect(heard).toContain("shutdown");
  expect(heard).toContain("end your turn within 30 s");
  expect(await stateOf(next, "bob")).toBe("dormant");
  await reaches(
    next,
    await idOf(memberAt(next.http, ann).send("bob", "!tool check_messages !recall")),
    "finished",
  );
  const recalled = await lastWords(next, bob.id, "timeout_seconds");
  expect(recalled).toContain('"messages":[]');
  expect(recalled).not.toContain("The hub stops now");
});

test("one that reads its mail while the hub drains finds the shutdown, and a second stop does not wait for it", async () => {
  const gate = join(yard.home(), "gate");
  const script = `!say begun !gate ${gate} !tool check_messages !stream 1000000`;
  const { hub, bob } = await inTurn(script, ["hosting.shutdown_within=5m"]);
  signalProcess(hub.pid, "SIGTERM");
  const told = await eventually(async () => {
    const { json } = await hub.http.call("GET", "/api/search?q=type:shutdown", { token: hub.operator });
    return ((json["messages"] ?? []) as { id: string }[])[0];
  }, "the shutdown is written");
  writeFileSync(gate, "");
  await eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/messages/${told.id}`, { token: hub.operator });
    const [delivery] = json["deliveries"] as { state: string; to: string }[];
    return delivery?.to === "bob" && delivery.state === "offered" ? true : undefined;
  }, "bob was handed the shutdown");

  signalProcess(hub.pid, "SIGTERM");

  expect(await hub.ended).toMatchObject({ code: 0 });
  expect(processesOf(bob.id)).toEqual([]);
});

test("nothing of it is left for those who did not read it, and nobody is told of its end", async () => {
  const hub = await startHostingHub(yard);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  await ben.send("ann", "mail that waits");
  const wait = ben.call("GET", "/api/inbox?wait=60");
  await eventually(async () => ((await stateOf(hub, "ben")) === "listening" ? true : undefined), "ben waits");

  await hub.stop();
  expect((await wait).json["messages"]).toMatchObject([{ from: "hub", notice: "stop", attention: "fyi" }]);

  const next = await startHostingHub(yard, { home: hub.home });
  const contents = async (member: Member) =>
    (await memberAt(next.http, member).inbox()).map(({ content }) => content);
  expect(await contents(ann)).toEqual(["mail that waits"]);
  expect(await contents(ben)).toEqual([]);
  const { json } = await next.http.call("GET", "/api/inbox", { token: next.operator });
  expect(json["messages"]).toEqual([]);
});

test("a hub that is killed while it drains does not deliver it later either", async () => {
  const { hub, ann } = await inTurn("!stream 1000000");
  const wait = ann.call("GET", "/api/inbox?wait=60");
  await eventually(async () => ((await stateOf(hub, "ann")) === "listening" ? true : undefined), "ann waits");
  signalProcess(hub.pid, "SIGTERM");
  expect((await wait).json["messages"]).toMatchObject([{ notice: "stop" }]);
  await hub.kill();

  const next = await startHostingHub(yard, { home: hub.home });
  expect(await memberAt(next.http, ann).inbox()).toEqual([]);
});
