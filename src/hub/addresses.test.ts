import { expect, test } from "vitest";
import { refusal } from "../../test/fakes/refusal.js";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { openTestJournal } from "../../test/fakes/test-journal.js";
import { HUMAN_ID } from "../model/agent.js";
import { newEvent } from "../model/events.js";
import { findAgent } from "./rules/find-agent.js";

/** Two teams with an `ana` each, a reader in each, and one who is in neither. */
async function twoTeams() {
  const hub = openTestHub();
  const inTeam = (name: string, team: string) => hub.register(name, { team });
  return {
    hub,
    alpha: { ana: await inTeam("ana", "alpha"), bob: await inTeam("bob", "alpha") },
    beta: { ana: await inTeam("ana", "beta"), cid: await inTeam("cid", "beta") },
    dora: await hub.register("dora"),
  };
}

test("the same name lives in two teams side by side; in one team it gets the next free instance", async () => {
  const { hub, alpha, beta } = await twoTeams();

  expect([hub.nameOf(alpha.ana), hub.nameOf(beta.ana)]).toEqual(["ana", "ana"]);
  expect(hub.nameOf(await hub.register("ana", { team: "alpha" }))).toBe("ana-2");
  expect(hub.nameOf(await hub.register("ana", { team: "alpha" }))).toBe("ana-3");
  expect(hub.nameOf(await hub.register("ana"))).toBe("ana");
});

test("a plain name is that of the sender's own team; with a team it is that of the other", async () => {
  const { hub, alpha, beta } = await twoTeams();

  await hub.sendTo(alpha.bob, "ana", "to my team's");
  await hub.sendTo(alpha.bob, "beta/ana", "to the other");

  expect(await hub.inbox(alpha.ana)).toEqual(["to my team's"]);
  expect(await hub.inbox(beta.ana)).toEqual(["to the other"]);
});

test("a plain name that only another team has is found there", async () => {
  const { hub, alpha, beta } = await twoTeams();

  await hub.sendTo(alpha.bob, "cid", "hello");

  expect(await hub.inbox(beta.cid)).toEqual(["hello"]);
});

test("a name of several teams, none of them the sender's, is refused with all that have it", async () => {
  const { hub, dora } = await twoTeams();

  const error = await refusal(hub.sendTo(dora, "ana"));

  expect(error).toMatchObject({
    code: "NAME_AMBIGUOUS",
    details: { available: ["alpha/ana", "beta/ana"] },
  });
  expect((await refusal(hub.sendTo(HUMAN_ID, "ana"))).code).toBe("NAME_AMBIGUOUS");
});

test("name-instance is that instance, and an exact name comes before it", async () => {
  const hub = openTestHub();
  const [dev, janus, second] = [
    await hub.register("janus-dev"),
    await hub.register("janus"),
    await hub.register("janus"),
  ];
  const sender = await hub.register("sender");

  await hub.sendTo(sender, "janus-dev", "to the exact name");
  await hub.sendTo(sender, "janus-2", "to the instance");
  await hub.sendTo(sender, "janus", "to the first");

  expect(await hub.inbox(dev)).toEqual(["to the exact name"]);
  expect(await hub.inbox(second)).toEqual(["to the instance"]);
  expect(await hub.inbox(janus)).toEqual(["to the first"]);
});

test("an instance that is asked for is the end of the name; a taken one gets the next number", async () => {
  const hub = openTestHub();
  const spawn = (instance?: string) =>
    hub.execute("spawnAgent", {
      by: HUMAN_ID,
      name: "ana",
      instance,
      project: null,
      backend: "claude-code",
      runtime: "tmux",
      permissions: "ask",
    });

  expect((await spawn("2")).name).toBe("ana-2");
  expect((await spawn("blue")).name).toBe("ana-blue");
  expect((await spawn("2")).name).toBe("ana-3");
  expect((await spawn()).name).toBe("ana");
  expect((await spawn()).name).toBe("ana-4");
});

test("an agent of an older hub, whose instance stands beside its name, has both addresses", async () => {
  const older = openTestJournal({
    registerAgent: (id: string, _context: unknown) => ({
      events: [
        newEvent("AgentRegistered", id, {
          agent: id,
          name: "ana",
          role: "agent",
          team: "main",
          project: null,
          model: null,
          backend: "codex",
          heartbeat: false,
          depth: 0,
          runtime: "tmux",
          instance: "2",
        }),
      ],
      answer: () => {},
    }),
  });
  await older.execute("registerAgent", "old");
  await older.close();

  const hub = openTestHub({ file: older.file, clock: older.clock });
  const bob = await hub.register("bob");
  await hub.sendTo(bob, "ana", "by its name");
  await hub.sendTo(bob, "ana-2", "by its instance");

  expect(await hub.inbox("old")).toEqual(["by its name", "by its instance"]);
});

test.each(["Ana Lee", "alpha/", "/ana", "alpha/beta/ana", "ana@", "Ana", "-ana", "ana\n", "../ana", ""])(
  "what cannot be an address is an error of its own: %j",
  async (target) => {
    const { hub, dora } = await twoTeams();

    const error = await refusal(hub.sendTo(dora, target));

    expect(error.code).toBe("TARGET_INVALID");
    expect(error.details).toHaveProperty("available");
  },
);

test("an agent of another hub is refused as long as no hub is linked", async () => {
  const { hub, dora } = await twoTeams();

  expect(await refusal(hub.sendTo(dora, "alpha/ana@mini"))).toMatchObject({
    code: "HUB_NOT_FOUND",
    details: { hub: "mini" },
  });
});

test("an id means that agent, whatever another calls itself", async () => {
  const { hub, alpha, dora } = await twoTeams();
  const impostor = await hub.register(alpha.ana);

  await hub.sendTo(dora, alpha.ana, "by id");

  expect(hub.nameOf(impostor)).toBe(alpha.ana);
  expect(await hub.inbox(alpha.ana)).toEqual(["by id"]);
});

test("answers name others by the shortest address that their reader can use", async () => {
  const { hub, alpha, beta, dora } = await twoTeams();

  expect((await hub.sendTo(alpha.bob, "alpha/ana")).target).toBe("ana");
  expect((await hub.sendTo(dora, "alpha/ana")).target).toBe("alpha/ana");
  expect((await hub.sendTo(dora, "alpha/bob")).target).toBe("bob");
  const { deliveredTo } = await hub.execute("broadcast", { from: beta.cid, content: "all" });
  expect(deliveredTo).toEqual(["alpha/ana", "ana", "bob", "dora"]);

  await hub.sendTo(alpha.ana, "dora", "from alpha");
  await hub.sendTo(alpha.ana, "bob", "from my own team");
  const from = async (reader: string) =>
    (await hub.read(reader)).messages.map(({ message }) => `${message.fromName}: ${message.content}`);
  expect(await from(dora)).toContain("alpha/ana: from alpha");
  expect(await from(alpha.bob)).toContain("ana: from my own team");
});

test("whoever is refused is told of addresses that work", async () => {
  const { hub, alpha } = await twoTeams();

  const { details } = await refusal(hub.sendTo(alpha.bob, "nobody"));

  const available = details["available"] as string[];
  expect(available).toEqual(["ana", "beta/ana", "bob", "cid", "dora"]);
  for (const address of available) expect(findAgent(hub.views, address, alpha.bob)).toBeDefined();
});

test("a name given up in one team is kept there, free in another, and nobody else gets its mail meanwhile", async () => {
  const { hub, alpha, beta, dora } = await twoTeams();
  await hub.deregister(beta.ana);
  await hub.rename(alpha.ana, "anna");

  expect(await refusal(hub.sendTo(dora, "ana"))).toMatchObject({ details: { renamed_to: "anna" } });
  expect(hub.nameOf(await hub.register("ana", { team: "alpha" }))).toBe("ana-2");
  const other = await hub.register("ana", { team: "gamma" });

  // What `ana` meant a moment ago is not what it would mean now.
  expect((await refusal(hub.sendTo(dora, "ana"))).code).toBe("NAME_AMBIGUOUS");
  await hub.sendTo(dora, "gamma/ana", "to the new one");
  expect(await hub.inbox(other)).toEqual(["to the new one"]);

  hub.clock.advance(25 * 3_600_000);
  await hub.ring();
  await hub.sendTo(dora, "ana", "now there is only one");
  expect(await hub.inbox(other)).toEqual(["to the new one", "now there is only one"]);
});

test("another team is another address: a taken name gets a number there, and the old one is kept", async () => {
  const { hub, alpha, beta, dora } = await twoTeams();
  await hub.register("ana", { team: "alpha" });

  const moved = await hub.execute("updateAgent", { agent: alpha.ana, team: "beta" });

  expect(moved).toEqual({ previousName: "ana", newName: "ana-2" });
  await hub.sendTo(dora, "beta/ana-2", "moved");
  expect(await hub.inbox(alpha.ana)).toEqual(["moved"]);
  expect(await refusal(hub.sendTo(dora, "alpha/ana"))).toMatchObject({
    code: "AGENT_NOT_FOUND",
    details: { renamed_to: "beta/ana-2" },
  });
  expect(hub.nameOf(await hub.register("ana", { team: "alpha" }))).toBe("ana-3");
  expect(hub.nameOf(beta.ana)).toBe("ana");
  expect((await hub.execute("updateAgent", { agent: alpha.ana, team: "alpha", name: "ana" })).newName).toBe(
    "ana",
  );
});

test("a repeated send is the same message by whatever address it comes", async () => {
  const { hub, alpha } = await twoTeams();
  const first = await hub.sendTo(alpha.bob, "ana", "once", { id: "m-1" });

  expect(await hub.sendTo(alpha.bob, "alpha/ana", "once", { id: "m-1" })).toEqual(first);
  expect(await hub.sendTo(alpha.bob, alpha.ana, "once", { id: "m-1" })).toEqual(first);
  expect((await refusal(hub.sendTo(alpha.bob, "beta/ana", "once", { id: "m-1" }))).code).toBe("ID_REUSED");
});

test("whoever an agent starts is in its team", async () => {
  const { hub, alpha } = await twoTeams();

  const child = await hub.register("helper", { parent: alpha.bob });

  expect(hub.views.roster.byId(child)?.team).toBe("alpha");
});
