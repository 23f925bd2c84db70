import { expect, test } from "vitest";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";

/* An agent that was asked to shut down ends its turn, takes no further one, and is still there meanwhile. */

async function spawn(hub: TestHub, name: string): Promise<AgentId> {
  const how = { backend: "scripted", runtime: "acp", permissions: "ask", project: null } as const;
  return (await hub.execute("spawnAgent", { by: HUMAN_ID, name, ...how })).id;
}

async function openLeaving() {
  const hub = openTestHub();
  const ann = await hub.register("ann");
  const bob = await spawn(hub, "bob");
  const leave = () => hub.execute("shutdownAgent", { agent: bob, by: HUMAN_ID });
  return { hub, ann, bob, leave };
}

const handoff = { task: "the login", summary: "The tests are left.", owes: [] };

test("nothing is handed over to it: claims and mail stay where they are", async () => {
  const { hub, ann, leave } = await openLeaving();
  const cid = await hub.register("cid");
  await hub.work(ann, "claim", "the login");
  await leave();

  const handed = hub.execute("handOff", { by: ann, agent: ann, to: "bob", ...handoff, forward: true });
  await expect(handed).rejects.toMatchObject({
    code: "AGENT_GONE",
    message: 'Agent "bob" is being shut down; name another agent',
  });
  expect(hub.views.work.get("the login")).toMatchObject({ owner: ann });
  expect(await hub.sendTo(cid, "ann", "how far is it?")).toMatchObject({ target: "ann" });
});

test("it hands over what it has itself, and a handoff that it got before is told again", async () => {
  const { hub, ann, bob, leave } = await openLeaving();
  const first = await hub.execute("handOff", { by: ann, agent: ann, to: "bob", ...handoff, id: "h-1" });
  await hub.work(bob, "claim", "the docs");
  await leave();

  const again = await hub.execute("handOff", { by: ann, agent: ann, to: "bob", ...handoff, id: "h-1" });
  expect(again.seq).toBe(first.seq);
  await hub.execute("handOff", { by: bob, agent: bob, to: "ann", ...handoff });
  expect(hub.views.work.get("the docs")).toMatchObject({ owner: ann });
});

test("mail that was to be forwarded to it goes to the agent that it is addressed to", async () => {
  const { hub, ann, leave } = await openLeaving();
  const cid = await hub.register("cid");
  await hub.execute("handOff", { by: ann, agent: ann, to: "bob", ...handoff, forward: true });
  expect(await hub.sendTo(cid, "ann", "one")).toMatchObject({ target: "bob" });
  await leave();

  expect(await hub.sendTo(cid, "ann", "two")).toMatchObject({ target: "ann" });
});

test("it is asked for no help; those who stay are", async () => {
  const { hub, ann, bob, leave } = await openLeaving();
  const cid = await hub.register("cid");
  await leave();

  const request = await hub.ask(ann, "Review this");
  const recipients = hub.views.messages.byId(request).flatMap(({ data }) => data.message.to);
  expect(recipients.map(({ agent }) => agent)).toContain(cid);
  expect(recipients.map(({ agent }) => agent)).not.toContain(bob);
});

test("what is sent to it waits, with the reason, and comes back when it is gone", async () => {
  const { hub, ann, bob, leave } = await openLeaving();
  await leave();

  const sent = await hub.send(ann, bob, "one more thing");
  expect(sent).toMatchObject({ state: "held", reason: '"bob" is being shut down' });
  await hub.execute("recordGone", { agent: bob, reason: "shutdown" });
  expect((await hub.inbox(ann)).join("\n")).toContain("bob was shut down");
});

test("another agent of its name gets a number; it can be renamed, paused and resumed", async () => {
  const { hub, bob, leave } = await openLeaving();
  await leave();

  expect(hub.nameOf(await spawn(hub, "bob"))).toBe("bob-2");
  expect(await hub.rename(bob, "old-bob")).toBe("old-bob");
  const paused = await hub.execute("pauseAgents", { by: HUMAN_ID, agent: bob });
  expect(paused).toMatchObject({ agents: 1 });
  await hub.execute("resumeAgents", { by: HUMAN_ID, agent: bob });
  expect(hub.views.roster.byId(bob)).toMatchObject({ ending: "shutdown", pausedSince: null });
});

test("an agent in the person's own pane stays when it is asked to end, and when its pane is let go", async () => {
  const hub = openTestHub();
  const ana = await hub.register("ana");
  const pane = { pane: { target: "%1", pid: 7 }, backend: "scripted", permissions: "ask" } as const;
  await hub.execute("adoptPane", { by: HUMAN_ID, agent: ana, ...pane });

  await hub.execute("shutdownAgent", { agent: ana, by: HUMAN_ID });
  await expect(hub.assign(ana)).resolves.toBeDefined();
  await hub.execute("killAgent", { agent: ana, by: HUMAN_ID });
  await hub.execute("recordGone", { agent: ana, reason: "killed" });
  await expect(hub.assign(ana)).resolves.toBeDefined();
});
