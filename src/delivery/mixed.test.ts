import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { HUMAN_ID } from "../model/agent.js";

const words = "rm the old one, my password is hunter2";

/** A hub in which bob got mail of alice and of the person, and what was typed in his pane with it. */
async function openWorkplace() {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  const alice = await hub.register("alice");
  const sent = await hub.send(alice, bob, "count the beans");
  await hub.until(() => hub.runtime.agent().turns.length > 0);
  const turn = hub.runtime.turn();
  turn.take();
  const told = (agent: string) =>
    hub
      .happened("MessageAccepted")
      .map(({ data }) => data.message)
      .filter(({ notice, to }) => notice === "mixed" && to.some((one) => one.agent === agent));
  return { hub, bob, alice, sent, turn, told };
}

test("what was typed beside a message: its sender learns that it was, the person what, each once", async () => {
  const { hub, alice, sent, turn, told } = await openWorkplace();
  turn.listener.mixed?.(words);
  turn.listener.mixed?.(words);
  await hub.until(() => told(HUMAN_ID).length > 0);
  await hub.settled();

  expect(told(HUMAN_ID)).toMatchObject([{ attention: "fyi", metadata: { mixed: [sent.messageId], words } }]);
  expect(told(HUMAN_ID)[0]?.content).toContain(`"${words}"`);
  expect(told(alice)).toMatchObject([{ attention: "fyi", metadata: { mixed: [sent.messageId], to: "bob" } }]);
  expect(JSON.stringify([told(alice), hub.happened("MessagesMixed")])).not.toContain("hunter2");
  expect(hub.happened("MessagesMixed")).toHaveLength(1);
});

test("its receipt keeps its state, and notes it on the step with which it was taken", async () => {
  const { hub, sent, turn, told } = await openWorkplace();
  turn.listener.mixed?.(words);
  await hub.until(() => told(HUMAN_ID).length > 0);
  expect(hub.receipt(sent.messageId)).toMatchObject({ state: "injected" });

  turn.respond();
  turn.end();
  await hub.until(() => hub.receipt(sent.messageId).state === "finished");

  expect(hub.receipt(sent.messageId).steps.map(({ state, reason }) => [state, reason])).toEqual([
    ["offered", undefined],
    ["injected", "mixed"],
    ["seen", undefined],
    ["finished", undefined],
  ]);
});

test("of the person's own mail nobody else is told", async () => {
  const hub = await openHostedHub();
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.send(HUMAN_ID, bob, "count the beans");
  await hub.until(() => hub.runtime.agent().turns.length > 0);
  hub.runtime.turn().take();
  hub.runtime.turn().listener.mixed?.(words);
  const notices = () => hub.happened("MessageAccepted").filter(({ data }) => data.message.notice === "mixed");
  await hub.until(() => notices().length > 0);
  await hub.settled();

  expect(notices().flatMap(({ data }) => data.message.to.map(({ agent }) => agent))).toEqual([HUMAN_ID]);
});
