import { expect, test } from "vitest";
import { type HostedHub, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";

/* That an agent was told to end outlasts the hub that was to end it. */

/** Bob is in a turn, and a second message waits for its end. */
async function atWork(hub: HostedHub) {
  const { id: bob } = await hub.spawn({ name: "bob" });
  await hub.send("human", bob, "Count the herons.");
  await hub.until(() => hub.runtime.agent().turns.length === 1);
  hub.runtime.turn().take();
  await hub.until(() => hub.state(bob) === "busy");
  const { messageId } = await hub.send("human", bob, "And the bitterns.");
  return { bob, waiting: messageId };
}

function isGone(hub: HostedHub, id: string) {
  return hub.views.roster.byId(id)?.goneAt !== null && hub.hosting.driver(id) === undefined;
}

test.each([
  ["shutdown", "shutdown"],
  ["kill", "killed"],
] as const)("a %s that the hub died over is done at its next start", async (how, reason) => {
  const hub = await openHostedHub();
  const { bob, waiting } = await atWork(hub);
  await hub.execute(how === "kill" ? "killAgent" : "shutdownAgent", { agent: bob, by: "human" });

  const next = await hub.crash();

  await next.until(() => isGone(next, bob));
  expect(next.runtime.agents).toHaveLength(1);
  expect(next.happened("AgentDeregistered")).toMatchObject([{ data: { agent: bob, reason } }]);
  expect(next.receipt(waiting)).toMatchObject({ state: "failed" });
});

test("a pane that was told to end is let to the end of its turn, and takes no other", async () => {
  const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
  const { bob, waiting } = await atWork(hub);
  await hub.execute("shutdownAgent", { agent: bob, by: "human" });

  hub.runtime.regains = true;
  const next = await hub.crash();
  await next.until(() => next.state(bob) === "busy");
  next.runtime.turn().end();

  await next.until(() => isGone(next, bob));
  expect(next.runtime.agent().turns).toHaveLength(1);
  expect(next.runtime.agent().stopped).toBeDefined();
  expect(next.receipt(waiting)).toMatchObject({ state: "failed" });
});

test("a pane whose turn ended meanwhile, or that was killed, is only found to be ended", async () => {
  for (const command of ["shutdownAgent", "killAgent"] as const) {
    const hub = await openHostedHub({ runtime: createScriptedRuntime("tmux") });
    const { bob } = await atWork(hub);
    await hub.execute(command, { agent: bob, by: "human" });

    hub.runtime.regains = command === "killAgent";
    const next = await hub.crash();

    await next.until(() => isGone(next, bob));
    expect(next.runtime.agents.at(-1)?.stopped).toBeDefined();
    expect(next.happened("MessagesOffered")).toEqual([]);
  }
});

test("a hub that is stopped does not make a shutdown into a sleep", async () => {
  const hub = await openHostedHub();
  const { bob } = await atWork(hub);
  await hub.execute("shutdownAgent", { agent: bob, by: "human" });
  const ended = hub.hosting.end("drain");
  hub.runtime.turn().end();
  await ended;
  await hub.until(() => hub.views.roster.byId(bob)?.goneAt !== null);
});
