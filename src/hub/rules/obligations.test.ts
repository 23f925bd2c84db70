import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patiently } from "../../../test/fakes/patiently.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { openLazyViews } from "../../views/lazy/lazy-views.js";
import { createQuestions, questionsView } from "../../views/lazy/questions.js";
import { createObligations } from "./obligations.js";

const HOUR = 3_600_000;

async function openHub() {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const lazy = openLazyViews({
    file: join(dirname(hub.file), "views.db"),
    views: [questionsView],
    events: hub.events,
    onCommitted: hub.onCommitted,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
  onTestFinished(lazy.close);
  const questions = createQuestions(lazy);
  const obligations = createObligations({ ...hub, questions, wall: hub.clock.wall });
  const owed = async (by?: AgentId) => {
    await obligations.caughtUp();
    return obligations.list({ by });
  };
  /** What an agent owes, as kinds and refs. */
  const refs = async (by?: AgentId) => (await owed(by)).map(({ kind, ref }) => `${kind} ${ref}`);
  const assign = async (agent: AgentId, prompt = "Review it", more: { timeoutMs?: number } = {}) =>
    (await hub.execute("assignTask", { by: HUMAN_ID, agent: hub.nameOf(agent), prompt, ...more })).taskId;
  return { hub, ann, bob, lazy, obligations, owed, refs, assign };
}

test("a task is owed to whoever assigned it, from its assignment until it ends, with its deadline once it runs", async () => {
  const { hub, bob, owed, assign } = await openHub();
  const at = hub.clock.wall();
  const task = await assign(bob, "Review it", { timeoutMs: HOUR });
  const waits = {
    agent: bob,
    to: HUMAN_ID,
    kind: "task",
    ref: task,
    since: at,
    due: null,
    words: "Review it",
  };
  expect(await owed(bob)).toMatchObject([waits]);

  const [offered] = (await hub.read(bob)).messages;
  await hub.ack(bob, offered?.message.id ?? "");
  expect(await owed(bob)).toMatchObject([{ ...waits, due: hub.clock.wall() + HOUR }]);

  await hub.execute("cancelTask", { task, by: HUMAN_ID });
  expect(await owed(bob)).toEqual([]);
});

test("a request is owed to whoever asked, from the claim to the answer", async () => {
  const { hub, ann, bob, owed } = await openHub();
  const request = await hub.ask(ann, "verify this");
  expect(await owed()).toEqual([]);
  await hub.claim(bob, request);
  expect(await owed(bob)).toMatchObject([
    { agent: bob, to: ann, kind: "request", ref: request, due: null, words: "verify this" },
  ]);
  expect(await owed(ann)).toEqual([]);
  await hub.answer(bob, request);
  expect(await owed(bob)).toEqual([]);
});

test("claimed work is owed to nobody, until its lease ends or it is released", async () => {
  const { hub, bob, owed } = await openHub();
  await hub.work(bob, "claim", "the build", HOUR);
  await hub.work(bob, "claim", "the docs", 2 * HOUR);
  const due = hub.clock.wall() + HOUR;
  expect(await owed(bob)).toMatchObject([
    { agent: bob, to: null, kind: "claim", ref: "the build", due },
    { ref: "the docs" },
  ]);
  hub.clock.advance(HOUR);
  expect(await owed(bob)).toMatchObject([{ ref: "the docs" }]);
  await hub.work(bob, "release", "the docs");
  expect(await owed()).toEqual([]);
});

test("a question is owed from when it is handed over until a reply names it", async () => {
  const { hub, ann, bob, owed, refs } = await openHub();
  const { messageId } = await hub.send(ann, bob, "The build is red.\nCan you look?");
  await hub.send(ann, bob, "No hurry.");
  await hub.send(ann, bob, "Just wondering?", { attention: "fyi" });
  expect(await refs(bob)).toEqual([]);

  const { messages } = await hub.read(bob);
  expect(await owed(bob)).toMatchObject([
    { to: ann, kind: "question", ref: messageId, words: "Can you look?" },
  ]);
  await hub.ack(bob, ...messages.map(({ message }) => message.id));
  expect(await refs(bob)).toEqual([`question ${messageId}`]);

  await hub.send(bob, ann, "something else");
  expect(await refs(bob)).toEqual([`question ${messageId}`]);
  await hub.send(bob, ann, "I look.", { replyTo: messageId });
  expect(await refs(bob)).toEqual([]);
});

test("a question of the person that a turn came to its end with is answered by what the agent said", async () => {
  const { hub, bob, ann, refs } = await openHub();
  const asked = await hub.send(HUMAN_ID, bob, "Are you there?");
  const other = await hub.send(ann, bob, "And you?");
  const turn = { agent: bob, turn: "t" };
  await hub.execute("offerTurn", { ...turn, route: "runtime", continues: false, noted: false });
  await hub.execute("recordTaken", { ...turn, evidence: "acp_prompt", pointer: false });
  expect(await refs(bob)).toEqual([`question ${asked.messageId}`, `question ${other.messageId}`]);
  await hub.execute("recordTurnEnded", { ...turn, stop: "end_turn", text: "Yes." });
  expect(await refs(bob)).toEqual([`question ${other.messageId}`]);
});

test("after a day a question is owed no more, and of many only the newest are", async () => {
  const { hub, ann, bob, owed, refs } = await openHub();
  await hub.send(ann, bob, "Still there?");
  await hub.read(bob);
  expect(await refs(bob)).toHaveLength(1);
  hub.clock.advance(24 * HOUR + 1);
  expect(await refs(bob)).toEqual([]);
  for (let i = 0; i < 25; i++) {
    hub.clock.advance(60_000);
    await hub.send(ann, bob, `question ${i}?`);
  }
  await hub.read(bob);
  const words = (await owed(bob)).map((one) => one.words);
  expect(words).toEqual(Array.from({ length: 20 }, (_, i) => `question ${i + 5}?`));
});

test("what was pruned is owed no more", async () => {
  const { hub, ann, bob, lazy, refs } = await openHub();
  const { messageId, seq } = await hub.send(ann, bob, "Still there?");
  await hub.read(bob);
  await hub.ack(bob, messageId);
  expect(await refs(bob)).toHaveLength(1);
  lazy.prune(seq);
  await patiently(async () => expect(await refs(bob)).toEqual([]));
});

test("names may change and agents may leave: it is owed by who is here", async () => {
  const { hub, ann, bob, owed, refs, assign } = await openHub();
  const request = await hub.ask(ann, "verify this");
  await hub.claim(bob, request);
  await hub.work(bob, "claim", "the build");
  await hub.send(ann, bob, "Ready?");
  await hub.read(bob);
  await hub.rename(bob, "bert");
  await assign(bob);
  expect((await owed(bob)).map(({ kind }) => kind)).toEqual(["task", "request", "question", "claim"]);
  await hub.deregister(ann);
  expect((await owed(bob)).map(({ kind }) => kind)).toEqual(["task", "claim"]);
  await hub.deregister(bob);
  expect(await refs()).toEqual([]);
});

test("it can be asked for all, by whom, and to whom", async () => {
  const { hub, ann, bob, obligations, owed } = await openHub();
  const carl = await hub.register("carl");
  await hub.claim(bob, await hub.ask(ann, "one"));
  await hub.claim(bob, await hub.ask(carl, "two"));
  await hub.send(bob, carl, "Ready?");
  await hub.read(carl);
  await hub.work(carl, "claim", "the build");
  expect(await owed()).toHaveLength(4);
  expect(obligations.list({ to: carl })).toMatchObject([{ agent: bob, words: "two" }]);
  expect(obligations.list({ to: bob })).toMatchObject([{ agent: carl, words: "Ready?" }]);
  expect(obligations.list({ by: bob, to: ann })).toMatchObject([{ words: "one" }]);
});

test("what remains leaves out what is told anyway, and a task that is still to come", async () => {
  const { hub, ann, bob, obligations, assign } = await openHub();
  const request = await hub.ask(ann, "verify this");
  await hub.claim(bob, request);
  await hub.send(ann, bob, "Ready?");
  const { messages } = await hub.read(bob);
  await assign(bob);
  await obligations.caughtUp();
  const remaining = (told: readonly number[]) => obligations.remaining(bob, told, 10).lines;
  expect(remaining([])).toEqual([
    `an answer to the request ${request} of ann, which you claimed: "verify this"`,
    expect.stringMatching(/^an answer to MSG_ANN_[0-9a-f]{8} of ann: "Ready\?"$/),
  ]);
  const told = messages.map(({ seq }) => seq);
  expect(remaining(told)).toHaveLength(1);
  const [asked] = hub.views.messages.byId(request);
  expect(remaining([...told, asked?.seq ?? 0])).toEqual([]);
  await hub.read(bob);
  expect(remaining([])[0]).toMatch(/^the task task-\S+ of user: "Review it"$/);
});
