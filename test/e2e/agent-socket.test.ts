import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routeOps } from "../../src/contract/socket/ops.js";
import { type DrivenSocket, openAgentSocket } from "../fakes/agent-socket.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

/* What a program does on its one socket: PROTOCOL.md, 33. */

const yard = createHubYard();
let hub: HubProcess;
let names = 0;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

async function join(fields: Record<string, unknown> = {}, token = hub.join) {
  const member = await registerAgent(hub.http, token, { name: `agent-${++names}`, ...fields });
  return { member, socket: await openAgentSocket(hub.url, { token: member.token }) };
}

const mailOf = (socket: DrivenSocket, content: string) =>
  socket.until(({ mail = [] }) => mail.some((one) => one.content === content));

test("a socket says whose it is, first of all", async () => {
  const { member, socket } = await join();

  expect(socket.frames[0]).toMatchObject({ type: "ready", id: member.id, name: member.name });
  socket.cut();
});

test("the operator's socket is the person's", async () => {
  const person = await openAgentSocket(hub.url, { token: hub.operator });
  const { socket } = await join();
  await person.ask("mail", { window: 10 });

  await socket.ask("send", { to: "user", message: "for you" });

  await mailOf(person, "for you");
  expect(person.frames[0]).toMatchObject({ id: "human", name: "user" });
  person.cut();
  socket.cut();
});

describe("mail", () => {
  test("is pushed as it comes, with the receipt of its sender as over HTTP, and is gone once acknowledged", async () => {
    const [ann, bob] = [await join(), await join()];
    expect(await bob.socket.ask("mail", { window: 10 })).toMatchObject({ answer: { window: 10 } });

    const receipt = await ann.socket.ask("send", { to: bob.member.name, message: "hello", id: "m-1" });
    const { mail = [] } = await mailOf(bob.socket, "hello");

    expect(receipt.answer).toMatchObject({ delivered: true, target: bob.member.name, message_id: "m-1" });
    expect(mail).toMatchObject([{ id: "m-1", seq: receipt.answer?.["seq"], from: ann.member.name }]);
    const ack = await bob.socket.ask("ack", { ids: ["m-1"] });
    expect(ack.answer).toEqual({ acknowledged: ["m-1"], unknown: [] });
    expect(await bob.member.inbox()).toEqual([]);
    const status = await ann.socket.ask("message_status", { message_id: "m-1" });
    expect(status.answer).toMatchObject({ deliveries: [{ state: "seen", evidence: "ack" }] });
  });

  test("that waited comes first, in order, and nothing is pushed before it is asked for", async () => {
    const [ann, bob] = [await join(), await join()];
    for (const message of ["one", "two"]) await ann.member.send(bob.member.name, message);
    await bob.socket.ask("list_agents");
    expect(bob.socket.contents()).toEqual([]);

    await bob.socket.ask("mail", { window: 10 });
    await ann.member.send(bob.member.name, "three");

    await mailOf(bob.socket, "three");
    expect(bob.socket.contents()).toEqual(["one", "two", "three"]);
  });

  test("beyond the window waits until some is acknowledged, by whatever way", async () => {
    const [ann, bob] = [await join(), await join()];
    await bob.socket.ask("mail", { window: 2 });
    for (let i = 1; i <= 5; i++) await ann.member.send(bob.member.name, `${i}`, { id: `w-${names}-${i}` });
    await mailOf(bob.socket, "2");
    await bob.socket.ask("list_agents");
    expect(bob.socket.contents()).toEqual(["1", "2"]);

    await bob.member.ack([`w-${names}-1`]);
    await mailOf(bob.socket, "3");
    await bob.socket.ask("send", { to: ann.member.name, message: "got it", reply_to: `w-${names}-2` });
    await mailOf(bob.socket, "4");

    expect(bob.socket.contents()).toEqual(["1", "2", "3", "4"]);
  });

  test("that a lost socket had in hand comes again on the next, marked", async () => {
    const [ann, bob] = [await join(), await join()];
    await bob.socket.ask("mail", { window: 10 });
    await ann.member.send(bob.member.name, "once more");
    await mailOf(bob.socket, "once more");
    bob.socket.cut();
    await bob.socket.ended;

    const again = await openAgentSocket(hub.url, { token: bob.member.token });
    await again.ask("mail", { window: 10 });

    expect((await mailOf(again, "once more")).mail).toMatchObject([{ repeated: true }]);
  });

  test("goes to one of two sockets, and to the other once that one is gone", async () => {
    const [ann, bob] = [await join(), await join()];
    const second = await openAgentSocket(hub.url, { token: bob.member.token });
    await bob.socket.ask("mail", { window: 50 });
    await second.ask("mail", { window: 50 });
    const all = Array.from({ length: 20 }, (_, i) => `message ${i}`);

    for (const message of all) await ann.member.send(bob.member.name, message);
    await patiently(() => expect([...bob.socket.contents(), ...second.contents()]).toHaveLength(all.length));
    const [mine, others] = [bob.socket.contents(), second.contents()];
    expect(mine.length).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(0);
    expect([...mine, ...others].sort()).toEqual([...all].sort());

    bob.socket.cut();
    for (const message of mine) await mailOf(second, message);
    expect(second.contents().sort()).toEqual([...all].sort());
  });

  test("ends with a window of 0, and what was not acknowledged waits in the inbox", async () => {
    const [ann, bob] = [await join(), await join()];
    await bob.socket.ask("mail", { window: 10 });
    await ann.member.send(bob.member.name, "first");
    await mailOf(bob.socket, "first");

    expect(await bob.socket.ask("mail", { window: 0 })).toMatchObject({ answer: { window: 0 } });
    await ann.member.send(bob.member.name, "second");

    expect((await bob.member.inbox()).map(({ content }) => content)).toEqual(["first", "second"]);
    expect(bob.socket.contents()).toEqual(["first"]);
  });

  test("of a paused agent waits until it is resumed", async () => {
    const [ann, bob] = [await join(), await join()];
    await bob.socket.ask("mail", { window: 10 });
    const pause = (verb: string, body?: unknown) =>
      hub.http.call("POST", `/api/agents/${bob.member.name}/${verb}`, { token: hub.operator, body });
    expect((await pause("pause", {})).status).toBe(200);
    await ann.member.send(bob.member.name, "later");
    await bob.socket.ask("list_agents");
    expect(bob.socket.contents()).toEqual([]);

    await pause("resume");

    await mailOf(bob.socket, "later");
  });

  test("of others cannot be acknowledged, and stays where it is", async () => {
    const [ann, bob, eve] = [await join(), await join(), await join()];
    await ann.member.send(bob.member.name, "private", { id: `p-${names}` });

    const refused = await eve.socket.ask("ack", { ids: [`p-${names}`] });

    expect(refused).toMatchObject({ code: "MESSAGE_NOT_FOUND", unknown: [`p-${names}`] });
    expect(await bob.member.inbox()).toHaveLength(1);
  });
});

describe("many frames at once", () => {
  test("are answered each under its number, and a send among them is stored once under its id", async () => {
    const [ann, bob] = [await join(), await join()];
    const sends = Array.from({ length: 200 }, (_, i) =>
      ann.socket.ask("send", { to: bob.member.name, message: `${i}`, id: `many-${i % 100}` }),
    );

    const answers = await Promise.all(sends);

    // The second hundred has other bodies under the same ids.
    expect(answers.filter(({ answer }) => answer !== undefined)).toHaveLength(100);
    expect(answers.filter(({ code }) => code === "ID_REUSED")).toHaveLength(100);
    await bob.socket.ask("mail", { window: 1000 });
    await mailOf(bob.socket, "99");
    expect(bob.socket.contents()).toEqual(Array.from({ length: 100 }, (_, i) => `${i}`));
  });

  test("do not wait for each other: a wait is answered when its mail comes, what came after it at once", async () => {
    const [ann, bob] = [await join(), await join()];
    const wait = bob.socket.ask("wait", { wait: 60 });
    await bob.socket.ask("list_agents");
    expect(bob.socket.frames.some(({ n }) => n === 1)).toBe(false);

    await ann.socket.ask("send", { to: bob.member.name, message: "now" });

    expect((await wait).answer).toMatchObject({ messages: [{ content: "now" }] });
  });
});

test("events are read in pages, from any place on, and waited for", async () => {
  const [ann, bob] = [await join(), await join()];
  const start = await bob.socket.ask("events");
  expect(start.answer).toMatchObject({ events: [] });
  const after = start.answer?.["after"];
  const waiting = bob.socket.ask("events", { after, wait: 60 });

  await ann.socket.ask("send", { to: bob.member.name, message: "seen by its ends" });

  const { answer = {} } = await waiting;
  expect(answer["events"]).toMatchObject([
    { type: "MessageAccepted", data: { message: { content: "seen by its ends" } } },
  ]);
  const all = await bob.socket.ask("events", { after: 0, limit: 500 });
  expect(all.answer?.["events"]).toContainEqual(expect.objectContaining({ type: "AgentRegistered" }));
});

test("what others may not see is passed over", async () => {
  const [ann, bob, eve] = [await join(), await join(), await join()];
  const { answer = {} } = await eve.socket.ask("events");
  await ann.socket.ask("send", { to: bob.member.name, message: "not for eve" });

  const page = await eve.socket.ask("events", { after: answer["after"] });

  expect(page.answer).toMatchObject({ events: [] });
  expect(page.answer?.["after"]).toBeGreaterThan(Number(answer["after"]));
});

test("requests, tasks, claims and memory go over the socket as over HTTP", async () => {
  const [asker, worker] = [await join(), await join()];
  const lead = await join({ role: "orchestrator" }, hub.operator);
  const answerOf = async (who: { socket: DrivenSocket }, op: string, fields: Record<string, unknown>) => {
    const { answer, ...frame } = await who.socket.ask(op, fields);
    if (answer === undefined) throw new Error(`${op}: ${JSON.stringify(frame)}`);
    return answer;
  };

  const { request_id } = await answerOf(asker, "open_request", { description: "help", timeout_seconds: 600 });
  expect(await answerOf(worker, "claim_request", { request_id })).toMatchObject({ claimed: true });
  expect(await answerOf(worker, "answer_request", { request_id, message: "done" })).toMatchObject({
    answered: true,
  });
  expect(await answerOf(asker, "get_request", { request_id })).toMatchObject({ status: "answered" });

  const { task_id } = await answerOf(lead, "assign_task", { agent: worker.member.name, prompt: "count" });
  const ended = answerOf(lead, "get_task", { task_id, wait: 60 });
  await worker.socket.ask("mail", { window: 10 });
  const { mail = [] } = await mailOf(worker.socket, "count");
  await answerOf(worker, "send", { to: lead.member.name, message: "three", reply_to: mail[0]?.id });
  expect(await ended).toMatchObject({ status: "done", output: "three" });

  expect(await answerOf(worker, "claim_work", { task: "the parser", action: "claim" })).toMatchObject({
    ok: true,
  });
  expect(await answerOf(asker, "list_claims", {})).toMatchObject({ claims: [{ task: "the parser" }] });
  await answerOf(asker, "share_memory", { name: "notes.md", content: "the sea" });
  expect(await answerOf(worker, "get_memory", { name: "notes.md" })).toMatchObject({ content: "the sea" });
});

test("every operation is one that the hub answers, and a name that is none is told the nearest", async () => {
  const socket = await openAgentSocket(hub.url, { token: hub.operator });
  for (const op of Object.keys(routeOps)) {
    expect(await socket.ask(op, { nonsense: true }), op).toMatchObject({ code: "INVALID_INPUT" });
  }
  expect(await socket.ask("sned")).toMatchObject({
    code: "INVALID_INPUT",
    error: 'op: there is no "sned"; did you mean "send"?',
  });
});

describe("a socket ends", () => {
  test("with its agent, and says why", async () => {
    const { member, socket } = await join();

    await hub.http.call("DELETE", `/api/agents/${member.name}`, { token: hub.operator });

    expect(await socket.ended).toMatchObject({ code: 4008, reason: "the agent has left" });
    expect(socket.frames.at(-1)).toEqual({ type: "dropped", reason: "the agent has left" });
  });

  test("with the hub, once what it was asked is answered", async () => {
    const own = await yard.start();
    const ann = await registerAgent(own.http, own.join, { name: "ann" });
    await registerAgent(own.http, own.join, { name: "bob" });
    const socket = await openAgentSocket(own.url, { token: ann.token });
    const sends = Array.from({ length: 50 }, (_, i) =>
      socket.ask("send", { to: "bob", message: `${i}`, id: `s-${i}` }),
    );
    const wait = socket.ask("wait", { wait: 60 });
    await sends[0];

    const stopped = own.stop();

    await Promise.all(sends);
    expect((await wait).answer).toMatchObject({ more: false });
    expect(await socket.ended).toMatchObject({ code: 4008, reason: "the hub is stopping" });
    await stopped;
  });
});

test("an agent that takes its mail is shown as listening, and present for as long as its socket is open", async () => {
  const { member, socket } = await join();
  const state = async () => (await member.call("GET", `/api/agents/${member.name}`)).json["state"];
  expect(await state()).toBe("idle");

  await socket.ask("mail", { window: 1 });

  expect(await state()).toBe("listening");
});

test("a renamed agent sends under its new name, on the same socket", async () => {
  const [ann, bob] = [await join(), await join()];
  await bob.socket.ask("mail", { window: 10 });
  await ann.socket.ask("update_agent", { agent: ann.member.id, name: `new-${ann.member.name}` });

  await ann.socket.ask("send", { to: bob.member.name, message: "hi", sender: `new-${ann.member.name}` });

  expect((await mailOf(bob.socket, "hi")).mail).toMatchObject([{ from: `new-${ann.member.name}` }]);
});
