import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { HUMAN_ID } from "../model/agent.js";
import { RuntimeError } from "../runtime/runtime.js";

/* Tasks of agents that the hub runs: the end of a turn is the answer to the one task that it carried. */

async function hire(options: Parameters<typeof openHostedHub>[0] = {}) {
  const hub = await openHostedHub(options);
  const { id: hal } = await hub.spawn({ name: "hal" });
  await hub.until(() => hub.state(hal) === "idle");
  const turns = () => hub.runtime.agents.reduce((sum, agent) => sum + agent.turns.length, 0);
  let begun = 0;
  const busy = async () => {
    await hub.until(() => turns() > begun, "another turn begins");
    begun = turns();
    const before = hub.happened("MessagesSeen").length;
    hub.runtime.turn().take();
    hub.runtime.turn().respond();
    await hub.until(() => hub.happened("MessagesSeen").length > before, "it is seen");
  };
  return { hub, hal, busy };
}

test("what agents wrote meanwhile stands before the task, and what it says last is its output", async () => {
  const { hub, hal, busy } = await hire();
  const ben = await hub.register("ben");
  await hub.send(ben, hal, "Found a path traversal.", { attention: "fyi" });
  const id = await hub.assign(hal, "Review the error handling");
  await busy();

  expect(hub.runtime.turn().prompt.text).toMatch(
    /^--- Messages from other agents ---\n\[ben → you\] Found a path traversal\.\n\[end MSG_BEN_\S+ mark\]\n--- End messages ---\n\nYour task: Review the error handling/,
  );
  expect(hub.task(id).state).toBe("running");
  hub.runtime.turn().end({ text: "All fine." });
  await hub.until(() => hub.task(id).state === "done");

  expect(hub.views.tasks.outputOf(id)?.text).toBe("All fine.");
  expect(hub.happened("TurnEnded")).toMatchObject([{ data: { task: id } }]);
});

test("two tasks are two turns, and the second is not read ahead in the first", async () => {
  const { hub, hal, busy } = await hire();
  const first = await hub.assign(hal, "one");
  await busy();
  const second = await hub.assign(hal, "two");
  await hub.send(HUMAN_ID, hal, "and this");

  expect((await hub.read(hal)).messages.map(({ message }) => message.content)).toEqual(["and this"]);
  hub.runtime.turn().end({ text: "first answer" });
  await busy();
  expect(hub.runtime.turn().prompt.text).toContain("Your task: two");
  hub.runtime.turn().end({ text: "second answer" });
  await hub.until(() => hub.task(second).state === "done");

  expect([first, second].map((id) => hub.views.tasks.outputOf(id)?.text)).toEqual([
    "first answer",
    "second answer",
  ]);
});

test("an interrupted task goes on, and the turn after the interrupt answers it", async () => {
  const { hub, hal, busy } = await hire();
  const id = await hub.assign(hal, "long work");
  await busy();
  await hub.send(HUMAN_ID, hal, "look here first", { attention: "interrupt" });
  await busy();
  expect(hub.task(id).state).toBe("running");

  hub.runtime.turn().end({ text: "the work is done" });
  await hub.until(() => hub.task(id).state === "done");

  expect(hub.views.tasks.outputOf(id)?.text).toBe("the work is done");
});

test.each([
  ["error", "its agent stopped with an error: no key"],
  ["refusal", "its agent refused: no key"],
  ["max_tokens", "its agent ran out of tokens: no key"],
] as const)("a turn that stops with %s fails its task", async (stop, error) => {
  const { hub, hal, busy } = await hire();
  const id = await hub.assign(hal, "go");
  await busy();

  hub.runtime.turn().end({ stop, text: "", error: "no key" });
  await hub.until(() => hub.task(id).state === "failed");

  expect(hub.task(id).error).toBe(error);
  expect(hub.receipt(id)).toMatchObject({ state: "finished" });
});

test("a task fails with its agent's process when the agent had begun, and waits when it had not", async () => {
  const { hub, hal, busy } = await hire();
  const begun = await hub.assign(hal, "go");
  await busy();

  hub.runtime.agent().exit();
  await hub.until(() => hub.task(begun).state === "failed");
  const next = await hub.assign(hal, "again");

  expect(hub.task(begun).error).toBe("the agent died while it was at it");
  expect(hub.happened("DeliveriesFailed").map(({ data }) => data.reason)).toEqual(["died"]);
  hub.timers.advance(1000);
  await busy();
  hub.runtime.turn().end({ text: "back" });
  await hub.until(() => hub.task(next).state === "done");
});

test("cancelling a task interrupts the turn that is about it, and the agent is not asked again", async () => {
  const { hub, hal, busy } = await hire();
  const id = await hub.assign(hal, "go");
  await busy();

  await hub.execute("cancelTask", { task: id, by: HUMAN_ID });
  await hub.until(() => hub.state(hal) === "idle");

  expect(hub.runtime.agent().interrupts).toBe(1);
  expect(hub.runtime.agent().turns).toHaveLength(1);
  expect(hub.task(id).state).toBe("cancelled");
});

test("an agent that is started for a task gets it, and ends with it unless it is kept", async () => {
  const hub = await openHostedHub();
  hub.runtime.obey = "answer";
  const assign = (keep: boolean) =>
    hub.execute("assignTask", {
      by: HUMAN_ID,
      spawn: { backend: "scripted", name: "tess", project: hub.project },
      prompt: "go",
      ...(keep ? { keep: true } : {}),
    });

  const first = await assign(false);
  await hub.until(() => hub.task(first.taskId).state === "done");
  await hub.until(() => hub.views.roster.byId(first.agent)?.goneAt !== null);
  const second = await assign(true);
  await hub.until(() => hub.task(second.taskId).state === "done");

  expect(hub.views.tasks.outputOf(first.taskId)?.text).toBe("done");
  await hub.until(() => hub.state(second.agent) === "idle");
  expect(hub.views.roster.byId(second.agent)).toMatchObject({ name: "tess", goneAt: null });
});

test("an agent that does not start fails its task, with its own words", async () => {
  const hub = await openHostedHub();
  hub.runtime.failing.push(new RuntimeError("BACKEND_FAILED", "no such program"));
  const { taskId } = await hub.execute("assignTask", {
    by: HUMAN_ID,
    spawn: { backend: "scripted", project: hub.project },
    prompt: "go",
  });

  await hub.until(() => hub.task(taskId).state === "failed");

  expect(hub.task(taskId).error).toContain("no such program");
});

test("the person is told of a task that failed with its agent's process, not also that the agent is tried again", async () => {
  const hub = await openHostedHub();
  const { taskId } = await hub.execute("assignTask", {
    by: HUMAN_ID,
    spawn: { backend: "scripted", project: hub.project },
    prompt: "go",
  });
  const id = hub.task(taskId).agent;
  await hub.until(() => hub.views.roster.byId(id) !== undefined, "it is started");

  await hub.execute("recordCrash", { agent: id, taken: false, why: "it fell", failures: 4, retryInMs: null });

  expect(hub.task(taskId)).toMatchObject({ state: "failed", error: "it fell" });
  const told = hub
    .happened("MessageAccepted")
    .filter(({ data: { message } }) => message.to.some(({ agent }) => agent === HUMAN_ID))
    .map(({ data: { message } }) => message.notice);
  expect(told).toEqual(["task"]);
});

test("whoever shuts an idle agent down is not told that it did not read that", async () => {
  const { hub, hal } = await hire();

  await hub.stops.shutdown({ agent: hal, by: HUMAN_ID, waitMs: 5000 });

  await hub.until(() => hub.happened("AgentDeregistered").length === 1, "it has left");
  const notices = hub.happened("MessageAccepted").map(({ data: { message } }) => message.notice);
  expect(notices).not.toContain("bounce");
});

test("a hub that ended while an agent was at its task has the same agent go on with it", async () => {
  const hub = await openHostedHub();
  const { taskId, agent } = await hub.execute("assignTask", {
    by: HUMAN_ID,
    spawn: { backend: "scripted", name: "tess", project: hub.project },
    prompt: "go",
  });
  await hub.until(() => hub.runtime.agents.some(({ turns }) => turns.length === 1));

  hub.runtime.obey = "answer";
  const again = await hub.crash();
  await again.until(() => again.task(taskId).state === "done");

  expect(again.task(taskId).agent).toBe(agent);
  expect(again.happened("AgentRegistered")).toEqual([]);
});
