import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../fakes/http-call.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { connectMcp } from "../fakes/mcp-client.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
/** Shared: each test has agents and ids of its own. */
let hub: HubProcess;
beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

async function openWith<const Name extends string>(...names: Name[]) {
  const found = {} as Record<Name, Member>;
  for (const name of names) found[name] = await registerAgent(hub.http, hub.join, { name });
  return found;
}

/** What a message of the person answers, as it is stored. */
async function answered(hub: HubProcess, sent: Answer): Promise<unknown> {
  expect(sent).toMatchObject({ status: 202 });
  const path = `/api/messages/${String(sent.json["message_id"])}`;
  const { json } = await hub.http.call("GET", path, { token: hub.operator });
  return (json["message"] as Record<string, unknown>)["reply_to"];
}

const person = (hub: HubProcess, to: string, message: string, fields: object = {}) =>
  hub.http.call("POST", `/api/agents/${to}/messages`, { token: hub.operator, body: { message, ...fields } });

test("a reply names a message by its tag, its id or the end of it, however old and after a restart", async () => {
  const hub = await yard.start();
  const bob = await registerAgent(hub.http, hub.join, { name: "bob" });
  const first = String((await person(hub, "bob", "the first")).json["message_id"]);
  for (let i = 0; i < 30; i++) await person(hub, "bob", `more ${i}`);
  await bob.inbox();
  const names = [`MSG_USER_${first.slice(-8)}`, first, first.slice(-6), first.slice(-17)];

  for (const named of names)
    expect(await answered(hub, await bob.send("user", "yes", { reply_to: named }))).toBe(first);

  await hub.stop();
  const again = await yard.start({ home: hub.home });
  const late = memberAt(again.http, bob);
  for (const named of names)
    expect(await answered(again, await late.send("user", "yes", { reply_to: named }))).toBe(first);
  const shell = { env: { HUDDLE_HOME: again.home, HUDDLE_TOKEN: bob.token } };
  await cli(["send", "user", "yes", "--reply-to", names[0] ?? ""], shell);
  expect((await bobsLast(again))["reply_to"]).toBe(first);
});

async function bobsLast(hub: HubProcess): Promise<Record<string, unknown>> {
  const { json } = await hub.http.call("GET", "/api/inbox?from=bob", { token: hub.operator });
  return (json["messages"] as Record<string, unknown>[]).at(-1) ?? {};
}

test("an end that two messages have is refused, and both are named; a whole id is always that message", async () => {
  const { bob } = await openWith("bob");
  for (const id of ["0190-1111beef", "0190-2222beef", "beef"]) await person(hub, "bob", id, { id });

  expect(await bob.send("user", "yes", { reply_to: "0beef" })).toMatchObject({
    status: 400,
    json: { code: "REPLY_TARGET_NOT_FOUND", reply_to: "0beef" },
  });
  expect(await answered(hub, await bob.send("user", "yes", { reply_to: "beef" }))).toBe("beef");
  expect(await answered(hub, await bob.send("user", "yes", { reply_to: "1beef" }))).toBe("0190-1111beef");

  await person(hub, "bob", "another", { id: "0191-1111beef" });
  const { status, json } = await bob.send("user", "yes", { reply_to: "1111beef" });
  expect({ status, json }).toMatchObject({
    status: 409,
    json: {
      code: "REPLY_AMBIGUOUS",
      delivered: false,
      error:
        'reply_to is the end of the id of 2 messages of yours: "1111beef"; give the whole id of one of them',
      reply_to: "1111beef",
    },
  });
  expect(json["candidates"]).toEqual([
    expect.objectContaining({ id: "0191-1111beef", tag: "MSG_USER_1111beef", from: "user" }),
    expect.objectContaining({ id: "0190-1111beef", from: "user" }),
  ]);
});

test("a repeated send answers what it answered, although the end has become that of two", async () => {
  const { ben } = await openWith("ben");
  await person(hub, "ben", "one", { id: "0190-3333cafe" });
  const fields = { id: "reply", reply_to: "3333cafe" };
  const sent = await ben.send("user", "yes", fields);
  expect(await answered(hub, sent)).toBe("0190-3333cafe");
  await person(hub, "ben", "two", { id: "0191-3333cafe" });

  expect(await ben.send("user", "yes", fields)).toMatchObject({
    status: 202,
    json: { seq: sent.json["seq"] },
  });
});

test("a tag holds when its sender is called otherwise, and when two names make the same tag", async () => {
  const { bill } = await openWith("bill");
  const dash = await registerAgent(hub.http, hub.join, { name: "x-y" });
  const low = await registerAgent(hub.http, hub.join, { name: "x_y" });
  const one = await dash.send("bill", "one", { id: "0190-00001111" });
  await low.send("bill", "two", { id: "0190-00002222" });
  await low.send("bill", "three", { id: "0191-00001111" });
  expect(one.status).toBe(202);

  expect(await answered(hub, await bill.send("x_y", "yes", { reply_to: "MSG_X_Y_00002222" }))).toBe(
    "0190-00002222",
  );
  expect(await bill.send("x_y", "yes", { reply_to: "MSG_X_Y_00001111" })).toMatchObject({
    status: 409,
    json: { code: "REPLY_AMBIGUOUS", candidates: [{ from: "x_y" }, { from: "x-y" }] },
  });

  expect(await low.call("PUT", "/api/agents/x_y", { body: { name: "zoe" } })).toMatchObject({ status: 200 });
  for (const tag of ["MSG_X_Y_00002222", "MSG_ZOE_00002222"])
    expect(await answered(hub, await bill.send("zoe", "yes", { reply_to: tag }))).toBe("0190-00002222");
});

test("nobody learns of others' mail by its tag or its end, and it stands in nobody's way", async () => {
  const { alice, bert, carol } = await openWith("alice", "bert", "carol");
  await alice.send("bert", "secret", { id: "0190-1111beef" });
  for (const named of ["MSG_ALICE_1111beef", "1111beef", "0190-1111beef"])
    expect(await carol.send("alice", "I know", { reply_to: named })).toMatchObject({
      status: 400,
      json: { code: "REPLY_TARGET_NOT_FOUND" },
    });

  await carol.send("alice", "mine", { id: "0191-1111beef" });
  await bert.send("alice", "of the same id", { id: "0191-1111beef" });
  expect(await answered(hub, await carol.send("alice", "and more", { reply_to: "1111beef" }))).toBe(
    "0191-1111beef",
  );
  expect((await bert.inbox()).map(({ content }) => content)).toEqual(["secret"]);
});

test("the end of a request's id answers it, also for one that came later", async () => {
  const { asker } = await openWith("asker");
  const asked = await asker.call("POST", "/api/requests", {
    body: { description: "help", timeout_seconds: 600 },
  });
  const id = String(asked.json["request_id"]);
  const late = await registerAgent(hub.http, hub.join, { name: "late" });

  expect(await answered(hub, await late.send("asker", "done", { reply_to: id.slice(-8) }))).toBe(id);
  const { json } = await asker.call("GET", "/api/requests?status=answered");
  expect(json["requests"]).toMatchObject([{ request_id: id, claimed_by: "late" }]);
});

test.each(["huddle", "agent", "tabs", "sessions"])(
  "with the set %s a model reads what to answer, from which session it came, and what sent it",
  async (set) => {
    const alice = await registerAgent(hub.http, hub.join, { name: `alice_${set}` });
    const bob = await registerAgent(hub.http, hub.join, { name: `bob_${set}` });
    const reader = await connectMcp(hub, bob.token, { set });
    const sent = await alice.send(bob.name, "ready?");
    const id = String(sent.json["message_id"]);
    const tag = `MSG_${alice.name.toUpperCase()}_${id.slice(-8)}`;

    const { messages } = await reader.call("check_messages", {});
    expect(messages).toMatchObject([{ id, tag, source: "agent", fromSession: alice.id }]);

    await hub.http.call("POST", `/api/sessions/${bob.id}/messages`, {
      token: hub.operator,
      body: { message: "from a form", source: "applet", applet: "forms" },
    });
    const { messages: person } = await reader.call("check_messages", {});
    expect(person).toMatchObject([{ from: "user", source: "applet", applet: "forms" }]);
    expect((person as object[])[0]).not.toHaveProperty("fromSession");

    if (set === "huddle" || set === "agent") {
      expect(
        await reader.call("send_message", { to: alice.name, content: "yes", reply_to: tag }),
      ).toMatchObject({
        delivered: true,
      });
      expect((await alice.receipt(id)).json["deliveries"]).toMatchObject([{ state: "answered" }]);
    }
  },
);
