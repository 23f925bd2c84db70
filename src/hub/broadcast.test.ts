import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";

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

test("a broadcast to nobody is refused, and so is one by an agent where only orchestrators may", async () => {
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
  expect((await refusal(hub.execute("broadcast", { from: a, content: "y", id: "one" }))).code).toBe(
    "ID_REUSED",
  );
});
