import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { HUMAN_ID } from "../model/agent.js";

/** A hub with alice, who writes, and bob, whose turns the test ends. */
async function openWorkplace() {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const alice = await hub.register("alice");
  const write = (content: string) => hub.send(alice, bob, content);
  return { hub, alice, bob, write };
}

const pause = (hub: HostedHub, agent: string, now = false) =>
  hub.execute("pauseAgents", { by: HUMAN_ID, agent, now });
const resume = (hub: HostedHub, agent: string) => hub.execute("resumeAgents", { by: HUMAN_ID, agent });
const turns = (hub: HostedHub) => hub.runtime.agents.flatMap((agent) => agent.turns);

async function begin(hub: HostedHub, nth: number) {
  await hub.until(() => turns(hub).length === nth, `turn ${nth}`);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.settled();
}

test("a paused agent begins no turn; what waited comes in one, in its order", async () => {
  const { hub, bob, write } = await openWorkplace();
  await pause(hub, bob);
  await write("one");
  await hub.send(HUMAN_ID, bob, "two", { attention: "interrupt" });
  await hub.settled();
  expect(turns(hub)).toHaveLength(0);
  expect(hub.state(bob)).toBe("idle");
  expect(hub.happened("MessagesOffered")).toEqual([]);

  await resume(hub, bob);
  await begin(hub, 1);
  expect(hub.runtime.turn().prompt.text).toMatch(/one[\s\S]*two/);
});

test("a turn that runs is let end, an interrupt does not cut it, and none follows", async () => {
  const { hub, bob, write } = await openWorkplace();
  await write("one");
  await begin(hub, 1);
  await pause(hub, bob);
  await hub.send(HUMAN_ID, bob, "two", { attention: "interrupt" });
  await hub.settled();
  expect(hub.runtime.agent().interrupts).toBe(0);
  hub.runtime.turn().end();
  await hub.until(() => hub.state(bob) === "idle");
  await hub.settled();
  expect(turns(hub)).toHaveLength(1);

  await resume(hub, bob);
  await hub.until(() => turns(hub).length === 2);
  expect(hub.runtime.turn().prompt.text).toContain("two");
});

test("an agent without a process is not started while it is paused", async () => {
  const { hub, bob, write } = await openWorkplace();
  hub.timers.advance(15 * 60_000);
  await hub.until(() => hub.state(bob) === "dormant");
  await pause(hub, bob);
  await write("hello");
  await hub.settled();
  expect(hub.state(bob)).toBe("dormant");

  await resume(hub, bob);
  await hub.until(() => turns(hub).length === 1);
});

test("an agent that is paused at once goes on with its task where it was", async () => {
  const { hub, bob } = await openWorkplace();
  const task = await hub.assign(bob, "Count the beans");
  await begin(hub, 1);
  await pause(hub, bob, true);
  await hub.until(() => hub.state(bob) === "idle");
  expect(hub.runtime.agent().interrupts).toBe(1);
  expect(hub.receipt(task).steps.at(-1)).toMatchObject({ state: "accepted", reason: "paused" });
  expect(hub.task(task).state).toBe("running");

  await resume(hub, bob);
  await begin(hub, 2);
  expect(hub.runtime.turn().prompt.text).toMatch(
    /you were paused while handling .*Count the beans.*[Gg]o on/,
  );
  hub.runtime.turn().end({ text: "12" });
  await hub.until(() => hub.task(task).state === "done");
  expect(hub.views.tasks.outputOf(task)?.text).toBe("12");
});

test("cut by a pause and then by a crash of the hub, it is given its task again after it is resumed", async () => {
  const { hub, bob } = await openWorkplace();
  const task = await hub.assign(bob, "Count the beans");
  await begin(hub, 1);
  await pause(hub, bob, true);
  await hub.until(() => hub.state(bob) === "idle");
  const again = await hub.crash();
  await again.settled();
  expect(turns(again)).toHaveLength(1);
  expect(again.state(bob)).toBe("dormant");

  await resume(again, bob);
  await begin(again, 2);
  expect(again.runtime.turn().prompt.text).toContain("Count the beans");
  again.runtime.turn().end({ text: "12" });
  await again.until(() => again.task(task).state === "done");
});

test("the hub ends in a turn of an agent that is paused: it is not asked again before it is resumed", async () => {
  const { hub, bob, write } = await openWorkplace();
  const sent = await write("one");
  await begin(hub, 1);
  await pause(hub, bob);
  const again = await hub.crash();
  await again.settled();
  expect(turns(again)).toHaveLength(1);
  expect(again.receipt(sent.messageId).state).toBe("accepted");

  await resume(again, bob);
  await begin(again, 2);
  expect(again.runtime.turn().prompt.text).toContain("one");
});

test("an agent that does not heed the pause is ended, and its task waits all the same", async () => {
  const { hub, bob } = await openWorkplace();
  hub.runtime.heeds = false;
  const task = await hub.assign(bob, "Count the beans");
  await begin(hub, 1);
  await pause(hub, bob, true);
  await hub.until(() => hub.state(bob) === "cancelling");
  hub.timers.advance(5000);
  await hub.until(() => hub.happened("AgentCrashed").length === 1);
  hub.timers.advance(1000);
  await hub.settled();
  expect(hub.task(task).state).toBe("running");
  expect(turns(hub)).toHaveLength(1);

  hub.runtime.heeds = true;
  await resume(hub, bob);
  await begin(hub, 2);
  hub.runtime.turn().end({ text: "12" });
  await hub.until(() => hub.task(task).state === "done");
});

test("a task that is cancelled while its agent is paused at it is cut, and not gone on with", async () => {
  const { hub, bob } = await openWorkplace();
  const task = await hub.assign(bob, "Count the beans");
  await begin(hub, 1);
  await pause(hub, bob);
  await hub.execute("cancelTask", { task, by: HUMAN_ID });
  await hub.until(() => hub.state(bob) === "idle");
  expect(hub.runtime.agent().interrupts).toBe(1);

  await resume(hub, bob);
  await hub.settled();
  expect(turns(hub)).toHaveLength(1);
});

test("who was paused at a request is asked again when it is resumed, though a request alone wakes nobody", async () => {
  const { hub, alice, bob } = await openWorkplace();
  await hub.ask(alice, "Who can count the beans?");
  await begin(hub, 1);
  await pause(hub, bob, true);
  await hub.until(() => hub.state(bob) === "idle");

  await resume(hub, bob);
  await begin(hub, 2);
  expect(hub.runtime.turn().prompt.text).toContain("Who can count the beans?");
});
