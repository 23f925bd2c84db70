import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";

test("a registered agent is in the roster, with what it said about itself and the defaults for the rest", async () => {
  const hub = openTestHub();

  const id = await hub.register("alice", { project: "/src", model: "m", backend: "codex", heartbeat: true });

  expect(hub.views.roster.byName("alice", "main")).toMatchObject({
    id,
    role: "agent",
    team: "main",
    project: "/src",
    model: "m",
    backend: "codex",
    heartbeat: true,
    status: "idle",
    goneAt: null,
  });
});

test("a taken name gets the next free number", async () => {
  const hub = openTestHub();

  for (const expected of ["alice", "alice-2", "alice-3"]) {
    expect(hub.nameOf(await hub.register("alice"))).toBe(expected);
  }
  expect(hub.nameOf(await hub.register("alice-2"))).toBe("alice-2-2");
});

test("an agent without a name is called after its backend, or agent", async () => {
  const hub = openTestHub();

  expect(hub.nameOf(await hub.register(undefined, { backend: "Claude Code" }))).toBe("claude-code");
  expect(hub.nameOf(await hub.register(undefined, { backend: "hub" }))).toBe("agent");
  expect(hub.nameOf(await hub.register())).toBe("agent-2");
});

test("the name of an agent that left is free again", async () => {
  const hub = openTestHub();
  await hub.deregister(await hub.register("alice"));

  expect(hub.nameOf(await hub.register("alice"))).toBe("alice");
});

test("a credential stands for its agent until that leaves", async () => {
  const hub = openTestHub();
  const alice = await hub.register("alice", { credential: "hash" });
  expect(hub.views.roster.byCredential("hash")?.id).toBe(alice);

  await hub.deregister(alice);

  expect(hub.views.roster.byCredential("hash")).toBeUndefined();
});

test.each([
  ["a bad name", { name: "Not A Name" }, "NAME_INVALID"],
  ["a reserved name", { name: "all" }, "NAME_RESERVED"],
  ["what reads like a reserved name", { name: "us3r" }, "NAME_RESERVED"],
  ["a bad team", { name: "x", team: "no-dashes" }, "NAME_INVALID"],
  ["a reserved team", { name: "x", team: "ralph" }, "NAME_RESERVED"],
  ["the role of the person", { name: "x", role: "human" as const }, "INVALID_INPUT"],
])("%s is refused and nothing is stored", async (_what, input, code) => {
  const hub = openTestHub();

  expect((await refusal(hub.execute("registerAgent", { ...input, credential: "hash" }))).code).toBe(code);

  expect(hub.events.lastSeq()).toBe(0);
});
