import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { openTestJournal } from "../../test/fakes/test-journal.js";
import { newEvent } from "../model/events.js";

const GRACE_MS = 24 * 3_600_000;

test("a rename keeps the agent and its mail", async () => {
  const hub = openTestHub();
  const [alice, bob] = [await hub.register("alice"), await hub.register("bob")];
  await hub.send(alice, bob, "to bob");

  expect(await hub.execute("updateAgent", { agent: bob, name: "robert" })).toEqual({
    previousName: "bob",
    newName: "robert",
  });

  await hub.sendTo(alice, "robert", "to robert");
  expect(await hub.inbox(bob)).toEqual(["to bob", "to robert"]);
});

test("an old name is kept from others for the grace, then free", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");

  hub.clock.advance(GRACE_MS - 1000);
  await hub.ring();
  expect(hub.nameOf(await hub.register("bob"))).toBe("bob-2");

  hub.clock.advance(1001);
  await hub.ring();
  expect(hub.nameOf(await hub.register("bob"))).toBe("bob");
});

test("the end of the grace is not missed by a hub that was down", async () => {
  const before = openTestHub();
  await before.rename(await before.register("bob"), "robert");
  await before.close();
  before.clock.advance(GRACE_MS + 1000);

  const hub = await before.restart();
  await hub.ring();

  expect(hub.nameOf(await hub.register("bob"))).toBe("bob");
});

test("an agent may take its old name back, and then its newer one is kept", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");

  expect(await hub.rename(bob, "bob")).toBe("bob");

  expect(hub.views.roster.heldName("bob", "main")).toBeUndefined();
  expect(hub.views.roster.heldName("robert", "main")?.agent).toBe(bob);
  expect(hub.nameOf(await hub.register("robert"))).toBe("robert-2");
});

test("there and back and there again: only the newest grace of a name counts", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");
  hub.clock.advance(GRACE_MS / 2);
  await hub.rename(bob, "bob");
  await hub.rename(bob, "robert");

  // The alarm of the first rename is due; the name was given up again since.
  hub.clock.advance(GRACE_MS / 2 + 1000);
  await hub.ring();
  expect(hub.nameOf(await hub.register("bob"))).toBe("bob-2");

  hub.clock.advance(GRACE_MS / 2);
  await hub.ring();
  expect(hub.nameOf(await hub.register("bob"))).toBe("bob");
});

test("an agent that took its name back keeps it when the old alarm rings", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");
  await hub.rename(bob, "bob");

  hub.clock.advance(GRACE_MS + 1000);
  await hub.ring();

  expect(hub.nameOf(bob)).toBe("bob");
  expect(hub.nameOf(await hub.register("bob"))).toBe("bob-2");
  expect(hub.nameOf(await hub.register("robert"))).toBe("robert");
});

test("a taken or kept name gets a number, as at registration", async () => {
  const hub = openTestHub();
  const [alice, bob, carol] = [
    await hub.register("alice"),
    await hub.register("bob"),
    await hub.register("carol"),
  ];
  await hub.rename(alice, "zoe");

  expect(await hub.rename(bob, "carol")).toBe("carol-2");
  expect(await hub.rename(carol, "alice")).toBe("alice-2");
});

test("a rename to the present name, or one that would end at it, changes nothing", async () => {
  const hub = openTestHub();
  await hub.register("bob");
  const second = await hub.register("bob");
  const before = hub.events.lastSeq();

  expect(await hub.rename(second, "bob-2")).toBe("bob-2");
  expect(await hub.rename(second, "bob")).toBe("bob-2");

  expect(hub.events.lastSeq()).toBe(before);
});

test("a bad or reserved name is refused and the agent keeps its own", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");

  expect((await refusal(hub.rename(bob, "../bob"))).code).toBe("NAME_INVALID");
  expect((await refusal(hub.rename(bob, "user"))).code).toBe("NAME_RESERVED");

  expect(hub.nameOf(bob)).toBe("bob");
});

test("the kept names of an agent that leaves are free at once", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");
  await hub.deregister(bob);

  expect(hub.nameOf(await hub.register("bob"))).toBe("bob");
  expect(hub.nameOf(await hub.register("robert"))).toBe("robert");
});

test("a name that was released and taken by another is not released again by a late alarm", async () => {
  const hub = openTestHub();
  const bob = await hub.register("bob");
  await hub.rename(bob, "robert");
  await hub.deregister(bob);
  const heir = await hub.register("bob");
  hub.clock.advance(10_000);
  await hub.rename(heir, "bobby");

  hub.clock.advance(GRACE_MS - 5000);
  await hub.ring();

  expect(hub.views.roster.heldName("bob", "main")?.agent).toBe(heir);
});

test("an agent of an older hub keeps a name that is reserved by now", async () => {
  const agent = { role: "agent", team: "main", project: null, model: null, backend: null } as const;
  const older = openTestJournal({
    registerAgent: (name: string, _context: unknown) => ({
      events: [
        newEvent("AgentRegistered", name, { agent: name, name, ...agent, heartbeat: false, depth: 0 }),
      ],
      answer: () => {},
    }),
  });
  await older.execute("registerAgent", "admin");
  await older.close();

  const hub = openTestHub({ file: older.file, clock: older.clock });
  const bob = await hub.register("bob");
  await hub.sendTo(bob, "admin", "still here?");
  await hub.sendTo("admin", "bob", "yes");
  await hub.execute("updateAgent", { agent: "admin", name: "admin", project: "/srv" });

  expect(await hub.inbox("admin")).toEqual(["still here?"]);
  expect(hub.views.roster.byName("admin", "main")).toMatchObject({ name: "admin", project: "/srv" });
  expect((await refusal(hub.register("admin"))).code).toBe("NAME_RESERVED");
});
