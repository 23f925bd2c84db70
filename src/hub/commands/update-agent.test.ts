import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";

test("an update changes what it names and nothing else", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { project: "/a", model: "m1", team: "red" });

  await hub.execute("updateAgent", { agent: alice, model: "m2" });
  expect(hub.views.roster.byId(alice)).toMatchObject({ project: "/a", model: "m2", team: "red" });

  await hub.execute("updateAgent", { agent: alice, project: "/b", team: "blue" });
  expect(hub.views.roster.byId(alice)).toMatchObject({ project: "/b", model: "m2", team: "blue" });
});

test("a rename with a bad team is refused whole", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice");

  const error = await refusal(hub.execute("updateAgent", { agent: alice, name: "alicia", team: "A B" }));

  expect(error.code).toBe("NAME_INVALID");
  expect(hub.nameOf(alice)).toBe("alice");
});

test("an agent that left cannot be changed", async () => {
  const hub = openTestHub();
  const [alice] = [await hub.register("alice"), await hub.register("bob")];
  await hub.deregister(alice);

  const error = await refusal(hub.execute("updateAgent", { agent: alice, model: "m2" }));

  expect(error.code).toBe("AGENT_GONE");
  expect(error.details).toEqual({ available: ["bob"] });
});

test("an agent in a pane of the hub's keeps to names that a pane can have", async () => {
  const hub = openTestHub();
  const spawn = { by: "human", project: "/a", backend: "claude-code", permissions: "ask" as const };
  const { id: ana } = await hub.execute("spawnAgent", { ...spawn, name: "ana", runtime: "tmux" });
  const { id: bob } = await hub.execute("spawnAgent", { ...spawn, name: "bob", runtime: "acp" });

  const error = await refusal(hub.execute("updateAgent", { agent: ana, name: "ana-b-c" }));

  expect(error).toMatchObject({ code: "TARGET_INVALID", details: { target: "ana-b-c" } });
  expect(error.message).toContain("such as ana or ana-2");
  expect(await hub.rename(ana, "anna-2")).toBe("anna-2");
  expect(await hub.rename(bob, "bob-b-c")).toBe("bob-b-c");
});
