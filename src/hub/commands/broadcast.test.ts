import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { pacedLimits } from "../../../test/fakes/test-journal.js";
import { HUMAN_ID } from "../../model/agent.js";

test("a broadcast is stored once and reaches everybody but its sender", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b, c] = [await hub.register("a"), await hub.register("b"), await hub.register("c")];
  const before = hub.events.lastSeq();

  const sent = await hub.execute("broadcast", { from: a, content: "standup" });

  expect(sent).toMatchObject({ deliveredTo: ["b", "c"], failed: [] });
  expect(hub.events.lastSeq()).toBe(before + 1);
  expect([await hub.inbox(a), await hub.inbox(b), await hub.inbox(c)]).toEqual([
    [],
    ["standup"],
    ["standup"],
  ]);
});

test("a team's broadcast reaches the team only", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const a = await hub.register("a");
  await hub.register("b", { team: "alpha" });
  await hub.register("c", { team: "beta" });
  expect(await hub.execute("broadcast", { from: a, content: "x", team: "alpha" })).toMatchObject({
    deliveredTo: ["b"],
  });
});

test("each recipient is limited by its own pair: the others get it", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  await hub.register("c");
  for (let i = 0; i < 10; i++) await hub.send(a, b);

  const sent = await hub.execute("broadcast", { from: a, content: "x" });

  expect(sent).toMatchObject({ deliveredTo: ["c"], failed: ["b"] });
});

test("where only orchestrators may broadcast, they and the person do, and an agent does not", async () => {
  const hub = openTestHub({ limits: { ...pacedLimits, broadcast: "orchestrator" } });
  const agent = await hub.register("agent");
  const boss = await hub.register("boss", { role: "orchestrator" });

  expect((await refusal(hub.execute("broadcast", { from: agent, content: "x" }))).code).toBe("FORBIDDEN");
  expect(await hub.execute("broadcast", { from: boss, content: "x" })).toMatchObject({
    deliveredTo: ["agent"],
  });
  expect(await hub.execute("broadcast", { from: HUMAN_ID, content: "y" })).toMatchObject({ failed: [] });
});

test("a broadcast to nobody is refused", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const a = await hub.register("a");
  expect((await refusal(hub.execute("broadcast", { from: a, content: "x" }))).code).toBe("NO_RECIPIENTS");
  await hub.register("b");
  expect((await refusal(hub.execute("broadcast", { from: a, content: "x", team: "none" }))).code).toBe(
    "NO_RECIPIENTS",
  );
});

test("the same id is the same broadcast", async () => {
  const hub = openTestHub({ limits: pacedLimits });
  const [a, b] = [await hub.register("a"), await hub.register("b")];
  await hub.execute("broadcast", { from: a, content: "x", id: "one" });
  await hub.execute("broadcast", { from: a, content: "x", id: "one" });
  expect(await hub.inbox(b)).toEqual(["x"]);
  for (const other of [
    { content: "y" },
    { content: "x", context: "other" },
    { content: "x", expiresInMs: 1000 },
  ])
    expect((await refusal(hub.execute("broadcast", { from: a, id: "one", ...other }))).code).toBe(
      "ID_REUSED",
    );
});
