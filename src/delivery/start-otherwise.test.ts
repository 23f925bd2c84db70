import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { RuntimeError } from "../runtime/runtime.js";

/* An agent whose chosen runtime does not start is started in the next, as the same agent. */

const ended = () => new RuntimeError("AGENT_EXITED", "scripted ended with code 1 while it started.");

async function hubWithTwo() {
  const otherwise = createScriptedRuntime("tmux");
  const hub = await openHostedHub({ otherwise });
  hub.runtime.failing.push(ended());
  return { hub, otherwise };
}

test("it comes up in the next one in the same spawn, with its first message", async () => {
  const { hub, otherwise } = await hubWithTwo();

  const spawned = await hub.spawn({ name: "bob", message: "Count the herons." });

  expect(spawned).toMatchObject({ name: "bob", state: "started", runtime: "tmux" });
  expect(hub.views.roster.byId(spawned.id)).toMatchObject({
    runtime: "tmux",
    runtimeReason: "scripted ended as it started",
  });
  await hub.until(() => otherwise.agents[0]?.turns.length === 1);
  expect(otherwise.turn().prompt.text).toContain("Count the herons.");
  // One agent, of whom nothing is told that was not so.
  expect(hub.happened("AgentRegistered")).toHaveLength(1);
  expect(hub.happened("SpawnFailed")).toEqual([]);
  expect(hub.happened("AgentDeregistered")).toEqual([]);
  expect(hub.happened("SpawnRequested").map(({ data }) => data.runtime)).toEqual([undefined, "tmux"]);
  expect(hub.errors).toEqual([]);
});

test("one that is asked for is not replaced", async () => {
  const { hub } = await hubWithTwo();
  await expect(hub.spawn({ name: "bob", runtime: "acp" })).rejects.toMatchObject({ code: "SPAWN_FAILED" });
  expect(hub.views.roster.present()).toEqual([]);
});

test("when the next one does not start either, nobody is left", async () => {
  const { hub, otherwise } = await hubWithTwo();
  otherwise.failing.push(ended());
  await expect(hub.spawn({ name: "bob" })).rejects.toMatchObject({ code: "SPAWN_FAILED" });
  expect(hub.happened("SpawnFailed")).toHaveLength(1);
  expect(hub.views.roster.present()).toEqual([]);
});

test("one that was killed while it started is not started in another way", async () => {
  const { hub, otherwise } = await hubWithTwo();
  hub.runtime.holdStarts = true;
  const spawning = hub.spawn({ name: "bob" }).catch((error: unknown) => error);
  await hub.until(() => hub.views.roster.hosted().length === 1);
  const [bob] = hub.views.roster.hosted();
  await hub.until(() => hub.state(bob?.id ?? "") === "starting");

  hub.runtime.release();
  await hub.execute("killAgent", { agent: bob?.id ?? "", by: "human" });

  await spawning;
  await hub.until(() => hub.views.roster.byId(bob?.id ?? "")?.goneAt !== null);
  await hub.until(() => hub.hosting.driver(bob?.id ?? "") === undefined);
  expect(otherwise.agents.every(({ stopped }) => stopped !== undefined)).toBe(true);
});
