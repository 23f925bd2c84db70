import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../model/agent.js";

const MINUTE = 60_000;

async function office(options: Parameters<typeof openTestHub>[0] = {}) {
  const hub = openTestHub(options);
  const boss = await hub.register("boss", { role: "orchestrator" });
  const ann = await hub.register("ann");
  return { hub, boss, ann };
}

const contents = async (hub: TestHub, agent: string) =>
  (await hub.read(agent)).messages.map(({ message }) => message.content);

test("a task is a message of the same id that only the hub can make", async () => {
  const { hub, ann } = await office();
  const id = await hub.assign(ann, "Review the auth module");

  const { messages } = await hub.read(ann);

  expect(messages.map(({ message }) => message)).toMatchObject([
    { id, taskId: id, content: "Review the auth module", from: HUMAN_ID, attention: "queue" },
  ]);
  expect(hub.task(id)).toMatchObject({ state: "pending", attempt: 1, agent: ann, by: HUMAN_ID });
});

test("only the person and orchestrators assign tasks, to others, and not to the person", async () => {
  const { hub, boss, ann } = await office();
  const assign = (by: string, agent: string) =>
    refusal(hub.execute("assignTask", { by, agent, prompt: "go" }));

  expect(await assign(ann, "boss")).toMatchObject({ code: "FORBIDDEN" });
  expect(await assign(boss, "boss")).toMatchObject({ code: "SELF_SEND" });
  expect(await assign(boss, "user")).toMatchObject({ code: "INVALID_INPUT" });
  expect(await assign(boss, "nobody")).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(hub.views.tasks.openCount()).toBe(0);
});

test("the same id with the same prompt is the same task, with another it is refused", async () => {
  const { hub, ann } = await office();
  const first = await hub.assign(ann, "go", { id: "t-1" });

  expect(await hub.assign(ann, "go", { id: "t-1" })).toBe(first);
  expect(await refusal(hub.assign(ann, "stay", { id: "t-1" }))).toMatchObject({ code: "ID_REUSED" });
  expect(await contents(hub, ann)).toEqual(["go"]);
});

test("an agent that pulls its mail answers by its reply, and its assigner is told", async () => {
  const { hub, boss, ann } = await office();
  const id = await hub.assign(ann, "What is left?", { by: boss });
  await hub.read(ann);
  await hub.ack(ann, id);
  expect(hub.task(id).state).toBe("running");

  await hub.send(ann, boss, "Two tests", { replyTo: id });

  expect(hub.task(id)).toMatchObject({ state: "done", error: null });
  expect(hub.views.tasks.outputOf(id)).toEqual({ text: "Two tests", isCut: false });
  const told = (await hub.read(boss)).messages.map(({ message }) => message);
  expect(told).toMatchObject([
    { content: "Two tests", replyTo: id },
    {
      type: "response",
      notice: "task",
      requestId: id,
      content: expect.stringContaining("is done") as unknown,
    },
  ]);
});

test("a reply of somebody else, or to something else, is no answer", async () => {
  const { hub, boss, ann } = await office();
  const ben = await hub.register("ben");
  const id = await hub.assign(ann, "What is left?", { by: boss });
  const other = await hub.send(boss, ann, "By the way");
  await hub.read(ann);

  await hub.send(ann, boss, "I see", { replyTo: other.messageId });
  await refusal(hub.send(ben, boss, "Nothing", { replyTo: id }));

  expect(hub.task(id).state).toBe("pending");
});

test("a task that nobody wants any more is taken back, and its agent told if it had it", async () => {
  const { hub, boss, ann } = await office();
  const ben = await hub.register("ben");
  const [unread, read] = [
    await hub.assign(ann, "one", { by: boss }),
    await hub.assign(ben, "two", { by: boss }),
  ];
  await hub.read(ben);
  await hub.ack(ben, read);

  await hub.execute("cancelTask", { task: unread, by: boss });
  await hub.execute("cancelTask", { task: read, by: boss });

  expect([hub.task(unread).state, hub.task(read).state]).toEqual(["cancelled", "cancelled"]);
  expect(hub.receipt(unread)).toMatchObject({ state: "failed" });
  expect(await contents(hub, ann)).toEqual([]);
  expect(await contents(hub, ben)).toEqual([`The task ${read} was cancelled. Do not go on with it.`]);
  expect(await contents(hub, boss)).toEqual([]);
  expect(await hub.execute("cancelTask", { task: read, by: HUMAN_ID })).toEqual({ state: "cancelled" });
});

test("strangers know nothing of a task, and only its ends and orchestrators touch it", async () => {
  const { hub, boss, ann } = await office();
  const eve = await hub.register("eve");
  const id = await hub.assign(ann, "secret", { by: boss });

  expect(await refusal(hub.execute("cancelTask", { task: id, by: eve }))).toMatchObject({
    code: "TASK_NOT_FOUND",
  });
  expect(await refusal(hub.execute("cancelTask", { task: id, by: ann }))).toMatchObject({
    code: "FORBIDDEN",
  });
  expect(await refusal(hub.execute("cancelTask", { task: "task-x", by: HUMAN_ID }))).toMatchObject({
    code: "TASK_NOT_FOUND",
  });
});

test("a task whose agent leaves has failed, read or unread, and comes back once, not as a bounce as well", async () => {
  const { hub, boss, ann } = await office();
  const read = await hub.assign(ann, "one", { by: boss });
  await hub.read(ann);
  await hub.ack(ann, read);
  const unread = await hub.assign(ann, "two", { by: boss });

  await hub.deregister(ann);

  expect([hub.task(read), hub.task(unread)]).toMatchObject([
    { state: "failed", error: "ann has left" },
    { state: "failed", error: "ann has left" },
  ]);
  const told = await contents(hub, boss);
  expect(told).toHaveLength(2);
  expect(told.every((text) => text.includes("has failed: ann has left"))).toBe(true);
});

test("a task has its own time from its start, and all have some time in the end", async () => {
  const { hub, ann } = await office();
  const timed = await hub.assign(ann, "quick", { timeoutMs: MINUTE });
  const endless = await hub.assign(ann, "slow");
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  expect(hub.task(timed).state).toBe("pending");

  await hub.read(ann);
  await hub.ack(ann, timed);
  hub.clock.advance(2 * MINUTE);
  await hub.ring();
  expect(hub.task(timed)).toMatchObject({ state: "failed", error: "it was not done within 1m" });

  hub.clock.advance(13 * 60 * MINUTE);
  await hub.ring();
  expect(hub.task(endless)).toMatchObject({ state: "failed", error: "it was not done within 12h" });
});

test("of an answer of 10 MB the end is kept, and that it was cut is said", async () => {
  const { hub, boss, ann } = await office();
  const id = await hub.assign(ann, "talk", { by: boss });
  await hub.read(ann);

  await hub.send(ann, boss, `${"x".repeat(10_000_000)} the end`, { replyTo: id });

  const output = hub.views.tasks.outputOf(id);
  expect(output?.isCut).toBe(true);
  expect(output?.text.length).toBeLessThan(300_000);
  expect(output?.text.endsWith(" the end")).toBe(true);
});

test("open tasks have a cap", async () => {
  const { hub, ann } = await office({ limits: { taskOpenCap: 1 } });
  await hub.assign(ann);

  expect(await refusal(hub.assign(ann))).toMatchObject({ code: "TASKS_FULL", details: { cap: 1 } });
});

test("an orchestrator has a share of them, and what agents have open keeps the person from nothing", async () => {
  const { hub, boss, ann } = await office({ limits: { taskOpenCap: 3, taskAgentCap: 2 } });
  const assign = () => hub.assign(ann, "go", { by: boss });
  await assign();
  await assign();

  const refused = await refusal(assign());
  expect(refused).toMatchObject({ code: "TASKS_FULL", details: { cap: 2 } });
  expect(refused.message).toContain("the most for one agent");
  for (let nth = 0; nth < 3; nth++) await hub.assign(ann);
  expect(hub.views.tasks.openCount()).toBe(5);
  expect(await refusal(hub.assign(ann))).toMatchObject({ code: "TASKS_FULL", details: { cap: 3 } });
});

test("an orchestrator and its agents that keep each other going wait for the person", async () => {
  const { hub, boss, ann } = await office({
    limits: { conversation: { hops: 4, messages: 100, causeMs: 15 * MINUTE, unattended: 200 } },
  });
  await hub.send(HUMAN_ID, boss, "begin");
  await hub.read(boss);
  let rounds = 0;
  for (; rounds < 20 && hub.views.conversations.withState("paused", 10).length === 0; rounds++) {
    const id = await hub.assign(ann, `round ${rounds}`, { by: boss });
    if ((await hub.read(ann)).messages.length === 0) break;
    await hub.send(ann, boss, "done", { replyTo: id });
    await hub.read(boss);
    hub.clock.advance(MINUTE);
    await hub.ring();
  }

  expect(rounds).toBeLessThan(6);
  expect(hub.views.conversations.withState("paused", 10)).toHaveLength(1);
});

test("tasks, their states and their outputs are there after a restart and a rebuild", async () => {
  const { hub, boss, ann } = await office();
  const done = await hub.assign(ann, "one", { by: boss });
  await hub.read(ann);
  await hub.send(ann, boss, "an answer", { replyTo: done });
  const open = await hub.assign(ann, "two", { by: boss });

  const again = await hub.restart();

  expect(again.task(done)).toMatchObject({ state: "done", prompt: "one" });
  expect(again.views.tasks.outputOf(done)?.text).toBe("an answer");
  expect(again.views.tasks.openOf(ann).map(({ id }) => id)).toEqual([open]);
});
