import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { pacedLimits } from "../../test/fakes/test-journal.js";
import { createTightViews, type TightViews } from "./tight.js";

type Act = (hub: TestHub, agents: string[]) => Promise<unknown>;

const someone = fc.nat({ max: 5 });
const at = (agents: readonly string[], i: number) => agents[i % agents.length] ?? "";

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(someone, someone, fc.boolean()).map(([from, to, expires]): Act => {
    return (hub, agents) =>
      hub.send(at(agents, from), at(agents, to), "hello", expires ? { expiresInMs: 4000 } : {});
  }),
  someone.map(
    (from): Act =>
      (hub, agents) => {
        return hub.execute("broadcast", { from: at(agents, from), content: "all" });
      },
  ),
  someone.map(
    (from): Act =>
      (hub, agents) =>
        hub.ask(at(agents, from), "help", { timeoutMs: 20_000 }),
  ),
  fc.tuple(someone, someone).map(
    ([who, which]): Act =>
      async (hub, agents) => {
        const open = hub.views.requests.list({ status: "open", limit: 10 });
        await hub.claim(at(agents, who), open[which]?.id ?? "");
      },
  ),
  fc.tuple(someone, someone).map(
    ([who, which]): Act =>
      async (hub, agents) => {
        const claimed = hub.views.requests.list({ status: "claimed", limit: 10 });
        await hub.answer(at(agents, who), claimed[which]?.id ?? "");
      },
  ),
  someone.map(
    (who): Act =>
      async (hub, agents) => {
        const { messages } = await hub.read(at(agents, who));
        await hub.ack(at(agents, who), ...messages.map(({ message }) => message.id));
      },
  ),
  fc
    .tuple(someone, fc.constantFrom("claim" as const, "release" as const), fc.nat({ max: 2 }))
    .map(([who, how, task]): Act => {
      return (hub, agents) => hub.work(at(agents, who), how, `task-${task}`, 5000);
    }),
  someone.map(
    (who): Act =>
      async (hub, agents) => {
        agents.push(await hub.register("child", { parent: at(agents, who) }));
      },
  ),
  someone.map(
    (who): Act =>
      (hub, agents) =>
        hub.deregister(at(agents, who)),
  ),
  someone.map(
    (to): Act =>
      (hub, agents) =>
        hub.send("human", at(agents, to), "go on"),
  ),
  fc.nat({ max: 15_000 }).map(
    (ms): Act =>
      (hub) => {
        hub.clock.advance(ms);
        return hub.ring();
      },
  ),
);

/** All counts that views keep in step instead of counting. */
function counts({ inbox, requests, work, roster }: TightViews, agents: readonly string[]) {
  return {
    unread: inbox.totalOpen(),
    held: (["cooldown", "budget", "backstop"] as const).map(inbox.heldCount),
    requests: requests.openCount(),
    work: work.count(),
    hosted: [roster.hostedCount(), roster.hostedByAgents()],
    agents: agents.map((agent) => ({
      depth: inbox.depth(agent),
      shares: agents.map((sender) => inbox.share(agent, sender)),
      requests: [requests.openCountOf(agent), requests.claimedCountOf(agent)],
      work: work.countOf(agent),
      below: roster.headOf(agent)?.id === agent ? roster.startedBelow(agent) : "not a head",
    })),
  };
}

test("counts that are kept in step are those that counting gives, whatever happens", async () => {
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
      const conversation = { hops: 2, messages: 4, causeMs: 60_000, unattended: 6 };
      const hub = openTestHub({ limits: { ...pacedLimits, conversation, inboxCap: 4, inboxRoom: 2 } });
      const agents = await Promise.all(["alice", "bob", "carol"].map((name) => hub.register(name)));
      for (const next of acts) {
        await next(hub, agents).catch(() => {});
        // What was never asked for is not kept.
        counts(hub.views, agents);
      }
      expect(counts(hub.views, agents)).toEqual(counts(createTightViews(hub.db), agents));
      await hub.close();
    }),
    { runs: 40 },
  );
}, 120_000);
