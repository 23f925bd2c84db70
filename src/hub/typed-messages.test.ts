import { expect, test } from "vitest";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { Typed } from "../model/typed-message.js";

async function pair(hub: TestHub) {
  return { ann: await hub.register("ann"), bob: await hub.register("bob") };
}

const say = (
  hub: TestHub,
  from: AgentId,
  to: AgentId,
  typed: Typed,
  more: { id?: string; content?: string } = {},
) =>
  hub.execute("sendMessage", {
    from,
    to: { id: to },
    type: typed.kind === "memory" ? "memory" : typed.kind,
    typed,
    ...more,
  });

const claim = { kind: "coordination", action: "claim", task: "the build" } as const;
const release = { ...claim, action: "release" } as const;

test("fields are stored with their message, which without text has the words of document 004", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);

  await say(hub, ann, bob, { kind: "pr-review", repo: "acme/site", pr: 12 });
  await say(hub, ann, bob, { kind: "status", status: "busy" }, { content: "until noon" });

  expect((await hub.read(bob)).messages.map(({ message }) => message)).toMatchObject([
    {
      type: "pr-review",
      content: "Please review pull request #12 of acme/site.",
      typed: { repo: "acme/site", pr: 12 },
    },
    { type: "status", content: "until noon", typed: { status: "busy" }, attention: "fyi" },
  ]);
});

test("a message without text and without fields is refused", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);

  await expect(hub.execute("sendMessage", { from: ann, to: { id: bob } })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("the same id with other fields is another message", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);
  const first = await say(hub, ann, bob, claim, { id: "m-1" });

  expect(await say(hub, ann, bob, claim, { id: "m-1" })).toEqual(first);
  await expect(say(hub, ann, bob, release, { id: "m-1" })).rejects.toMatchObject({ code: "ID_REUSED" });
});

test("an agent's status is what it says, until something else is heard of it", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);

  await say(hub, ann, bob, { kind: "status", status: "busy" });
  expect(hub.views.roster.byId(ann)).toMatchObject({ status: "busy", statusEvidence: "it says so" });
  await say(hub, ann, bob, { kind: "status", status: "offline" });
  expect(hub.views.roster.byId(ann)).toMatchObject({ status: "offline", statusEvidence: "it says so" });

  await hub.execute("recordPresence", { agent: ann, status: "idle", evidence: "it called the hub" });
  expect(hub.views.roster.byId(ann)).toMatchObject({ status: "idle", statusEvidence: "it called the hub" });
});

test("saying the same again is told to the reader and changes nothing", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);

  for (let i = 0; i < 3; i++) await say(hub, ann, bob, { kind: "status", status: "busy" });

  const changes = hub.events.pageAfter(0, 100).filter(({ type }) => type === "PresenceChanged");
  expect(changes).toHaveLength(1);
  expect(await hub.inbox(bob)).toHaveLength(3);
});

test("what the person says of themselves changes no status", async () => {
  const hub = openTestHub();
  const { bob } = await pair(hub);
  const before = hub.events.lastSeq();

  await say(hub, HUMAN_ID, bob, { kind: "status", status: "offline" });

  expect(hub.events.pageAfter(before, 10).map(({ type }) => type)).toEqual(["MessageAccepted"]);
});

test("a coordination claims its task in the same commit, and says so to both", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);

  expect(await say(hub, ann, bob, claim)).toMatchObject({ claimed: true, owner: "ann" });

  expect(hub.views.work.get("the build")).toMatchObject({ owner: ann });
  expect((await hub.read(bob)).messages.map(({ message }) => message)).toMatchObject([
    { content: '[Coordination: claimed "the build"]', typed: { ok: true, owner: "ann" } },
  ]);
});

test("one that comes too late is delivered, and says who has the task", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);
  await hub.work(ann, "claim", "the build");

  const late = await say(hub, bob, ann, claim, { id: "late" });

  expect(late).toMatchObject({ claimed: false, owner: "ann" });
  expect(hub.views.work.get("the build")).toMatchObject({ owner: ann });
  expect(await hub.inbox(ann)).toEqual(['[Coordination: wanted "the build", which ann has]']);
  // The answer to a repeated send is the first one's, whoever has the task now.
  await hub.work(ann, "release", "the build");
  expect(await say(hub, bob, ann, claim, { id: "late" })).toEqual(late);
});

test("only whoever has a task, or the person, releases it by a coordination", async () => {
  const hub = openTestHub();
  const { ann, bob } = await pair(hub);
  await say(hub, ann, bob, claim);

  expect(await say(hub, bob, ann, release)).toMatchObject({ released: false, owner: "ann" });
  expect(await say(hub, HUMAN_ID, bob, release)).toMatchObject({ released: true, owner: null });
  expect(hub.views.work.get("the build")).toBeUndefined();
});

test("a coordination that is not accepted claims nothing", async () => {
  const hub = openTestHub();
  const { ann } = await pair(hub);

  await expect(
    hub.execute("sendMessage", { from: ann, to: "nobody", type: "coordination", typed: claim }),
  ).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });

  expect(hub.views.work.count()).toBe(0);
});
