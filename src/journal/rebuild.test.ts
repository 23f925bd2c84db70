import fc from "fast-check";
import { expect, test } from "vitest";
import { checkAsyncProperty } from "../../test/fakes/check-property.js";
import { openTestHub, type TestHub } from "../../test/fakes/test-hub.js";
import { dumpViews } from "../../test/fakes/test-journal.js";
import type { AgentId } from "../model/agent.js";
import { createTightViews } from "../views/tight.js";
import { rebuildViews } from "./rebuild.js";

type Step = (hub: TestHub, agents: AgentId[]) => Promise<unknown>;

const who = fc.nat({ max: 4 });
const at = (agents: readonly AgentId[], i: number) => agents[i % agents.length] ?? "";
const name = fc.constantFrom("alice", "bob", "carol");

/** One thing that may happen; a refusal is fine, it leaves no trace. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: send() },
  fc.tuple(who, name).map(
    ([a, to]): Step =>
      (hub, agents) =>
        hub.rename(at(agents, a), to),
  ),
  who.map(
    (a): Step =>
      (hub, agents) =>
        hub.read(at(agents, a)),
  ),
  who.map(
    (a): Step =>
      async (hub, agents) => {
        const { messages } = await hub.read(at(agents, a));
        return hub.ack(at(agents, a), ...messages.slice(0, 2).map(({ message }) => message.id));
      },
  ),
  fc.tuple(who, who).map(
    ([a, b]): Step =>
      async (hub, agents) => {
        const [first] = (await hub.read(at(agents, a))).messages;
        return hub.send(at(agents, a), at(agents, b), "re", { replyTo: first?.message.id });
      },
  ),
  fc.constantFrom(10, 2_000, 61_000, 90_000_000).map(
    (ms): Step =>
      (hub) => {
        hub.clock.advance(ms);
        return hub.ring();
      },
  ),
  fc.tuple(who, fc.constantFrom("offline" as const, "dead" as const, "idle" as const)).map(
    ([a, status]): Step =>
      (hub, agents) => {
        return hub.execute("recordPresence", { agent: at(agents, a), status, evidence: "test" });
      },
  ),
  fc.tuple(who, name).map(
    ([a, project]): Step =>
      (hub, agents) => {
        return hub.execute("updateAgent", { agent: at(agents, a), project });
      },
  ),
  fc.tuple(who, who, fc.constantFrom("claim" as const, "answer" as const)).map(
    ([a, b, then]): Step =>
      async (hub, agents) =>
        hub[then](at(agents, b), await hub.ask(at(agents, a))),
  ),
  fc.tuple(who, name, fc.constantFrom("claim" as const, "release" as const)).map(
    ([a, task, action]): Step =>
      (hub, agents) =>
        hub.work(at(agents, a), action, task),
  ),
  fc.tuple(who, name).map(
    ([a, next]): Step =>
      async (hub, agents) => {
        await hub.deregister(at(agents, a));
        agents[a % agents.length] = await hub.register(next);
      },
  ),
);

function send(): fc.Arbitrary<Step> {
  const expiry = fc.constantFrom(undefined, 1_000, 60_000);
  return fc.tuple(who, who, expiry).map(
    ([from, to, expiresInMs]): Step =>
      (hub, agents) => {
        return hub.send(at(agents, from), at(agents, to), "hello", { expiresInMs });
      },
  );
}

test("folding every event again gives the very same tight views, for any history", async () => {
  const hub = openTestHub({ limits: { inboxCap: 5 } });
  await checkAsyncProperty(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const agents = await Promise.all(
        ["alice", "bob", "carol", "dave"].map((wanted) => hub.register(wanted)),
      );
      for (const act of steps) await act(hub, agents).catch(() => {});
      const before = dumpViews(hub.db, hub.views);

      const folded = rebuildViews(hub.db, Object.values(hub.views));

      expect(folded).toBe(hub.events.lastSeq());
      expect(dumpViews(hub.db, hub.views)).toEqual(before);
      for (const agent of agents) {
        // What the views remember beside their tables is right as well.
        expect(hub.views.inbox.depth(agent)).toBe(hub.views.inbox.open(agent).length);
        expect(hub.views.roster.byId(agent)).toEqual(createTightViews(hub.db).roster.byId(agent));
      }
    }),
    { runs: 30 },
  );
}, 300_000);

test("a migration can ask for it: views of the old kind are rebuilt at the next start", async () => {
  const before = openTestHub();
  const [alice, bob] = [await before.register("alice"), await before.register("bob")];
  await before.send(alice, bob, "hello");
  const views = dumpViews(before.db, before.views);
  before.db.exec("DELETE FROM delivery; UPDATE agent SET name = name || '-old'");
  before.db.exec("INSERT INTO meta (key, value) VALUES ('rebuild_views', '1')");

  const hub = await before.restart();
  expect(dumpViews(hub.db, hub.views)).toEqual(views);

  // It is asked for once: what is in the tables now stays.
  hub.db.exec("UPDATE agent SET project = '/kept'");
  const after = await hub.restart();
  expect(after.views.roster.byId(alice)?.project).toBe("/kept");
});

test("a rebuild that fails leaves the views as they were", async () => {
  const hub = openTestHub();
  await hub.register("alice");
  const before = dumpViews(hub.db, hub.views);
  const failing = {
    tables: [],
    folds: {
      CredentialIssued() {
        throw new Error("cannot fold");
      },
    },
  };

  expect(() => rebuildViews(hub.db, [...Object.values(hub.views), failing])).toThrow("cannot fold");

  expect(dumpViews(hub.db, hub.views)).toEqual(before);
});
