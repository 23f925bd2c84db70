import { expect, test } from "vitest";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

const name = "notes/login.md";

test("a memory has a version for each text, with who wrote it and when", async () => {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];

  await hub.execute("shareMemory", { by: ann, name, content: "It works." });
  hub.clock.advance(1000);
  const shared = await hub.execute("shareMemory", { by: bob, name, content: "It does not." });

  expect(shared).toEqual({ version: 2, bytes: 12, isNew: true, told: [] });
  const [second, first] = hub.views.memories.versions(name);
  expect([second, first]).toMatchObject([
    { version: 2, by: bob, byName: "bob" },
    { version: 1, by: ann, byName: "ann" },
  ]);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(1000);
  expect(hub.views.memories.content(name, 1)).toBe("It works.");
  expect(hub.views.memories.content(name, 2)).toBe("It does not.");
});

test("those who are named are told by a message that points at it and starts no turn", async () => {
  const hub = openTestHub();
  const [ann, bob, eve] = [await hub.register("ann"), await hub.register("bob"), await hub.register("eve")];

  const shared = await hub.execute("shareMemory", {
    by: ann,
    name,
    content: "It works.",
    to: ["bob", "bob"],
  });

  expect(shared.told).toEqual(["bob"]);
  expect((await hub.read(bob)).messages.map(({ message }) => message)).toMatchObject([
    { type: "memory", fromName: "ann", attention: "fyi", typed: { kind: "memory", name, version: 1 } },
  ]);
  expect(await hub.inbox(eve)).toEqual([]);
});

test("what it says already is no new version, and a call that is made again tells nobody twice", async () => {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const share = () =>
    hub.execute("shareMemory", { by: ann, name, content: "It works.", to: ["bob"], id: "c-1" });
  await share();

  expect(await share()).toMatchObject({ version: 1, isNew: false });

  expect(hub.views.memories.versions(name)).toHaveLength(1);
  expect(await hub.inbox(bob)).toHaveLength(1);
});

test("nothing is stored for somebody who is not there", async () => {
  const hub = openTestHub();
  const ann = await hub.register("ann");

  await expect(
    hub.execute("shareMemory", { by: ann, name, content: "It works.", to: ["nobody"] }),
  ).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });

  expect(hub.views.memories.newest(name)).toBeUndefined();
});

test("so many versions are kept, the newest", async () => {
  const hub = openTestHub({ limits: { memoryVersions: 2 } });
  const ann = await hub.register("ann");

  for (const content of ["one", "two", "three"]) await hub.execute("shareMemory", { by: ann, name, content });

  expect(hub.views.memories.versions(name).map(({ version }) => version)).toEqual([3, 2]);
  expect(hub.views.memories.content(name, 1)).toBeUndefined();
});

test("an agent has its part of the room, all agents have theirs, and the person is not refused", async () => {
  const hub = openTestHub({ limits: { memoryVersions: 1, memoryAgentBytes: 10, memoryBytes: 15 } });
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];
  const share = (by: string, as: string, content: string) =>
    hub.execute("shareMemory", { by, name: as, content });
  await share(ann, "a", "12345678");

  await expect(share(ann, "b", "123")).rejects.toMatchObject({ code: "MEMORY_FULL", details: { cap: 10 } });
  await expect(share(bob, "b", "12345678")).rejects.toMatchObject({
    code: "MEMORY_FULL",
    details: { cap: 15 },
  });
  // What it takes the place of goes.
  await expect(share(ann, "a", "1234567890")).resolves.toMatchObject({ version: 2 });
  await expect(share(HUMAN_ID, "c", "12345678901234567890")).resolves.toMatchObject({ version: 1 });
});

test("a text that is too long in bytes is refused", async () => {
  const hub = openTestHub();
  const ann = await hub.register("ann");

  await expect(
    hub.execute("shareMemory", { by: ann, name, content: "é".repeat(128 * 1024 + 1) }),
  ).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
