import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentId } from "../src/model/agent.js";
import { HubError, type HubErrorCode } from "../src/model/errors.js";
import { checkAsyncProperty } from "./fakes/check-property.js";
import { createMailLedger, type MailLedger } from "./fakes/mail-ledger.js";
import { openTestHub, type TestHub } from "./fakes/test-hub.js";

/*
 * Promise 3. Some agents and the world act at the same time, each in its own order; a scheduler chooses who is next, so
 * that their commands meet in the journal's batches in every way. All runs share one hub and its ever longer journal;
 * each has agents of its own.
 */

const RUNS = Number(process.env["HUDDLE_RUNS"] ?? 2000);

type Step =
  | { do: "send"; to: number; burst: number; expiresInMs: number | undefined; again: boolean }
  | { do: "read"; from: number | undefined }
  | { do: "ack"; count: number }
  | { do: "rename"; name: string }
  | { do: "leave" }
  | { do: "idle" };

type WorldStep = { do: "advance"; ms: number } | { do: "restart" };

const other = fc.nat({ max: 2 });
const agentStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      to: other,
      burst: fc.integer({ min: 1, max: 3 }),
      expiresInMs: fc.constantFrom(undefined, undefined, 5_000),
      again: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      from: fc.option(other, { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("ack" as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("rename" as const), name: fc.constantFrom("x", "y") }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "idle" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "leave" as const }) },
);
const worldStep: fc.Arbitrary<WorldStep> = fc.oneof(
  {
    weight: 25,
    arbitrary: fc.constantFrom(100, 3_000, 6_000, 61_000).map((ms) => ({ do: "advance" as const, ms })),
  },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
);
const scenario = fc.record({
  scripts: fc.array(fc.array(agentStep, { minLength: 1, maxLength: 7 }), { minLength: 2, maxLength: 3 }),
  world: fc.array(worldStep, { maxLength: 4 }),
});

/** What agents that rename themselves, leave and do not read must expect. */
const refusals: ReadonlySet<HubErrorCode> = new Set([
  "AGENT_NOT_FOUND",
  "AGENT_GONE",
  "SELF_SEND",
  "INBOX_FULL",
]);

/** The hub of all runs, which may be restarted under the agents' feet. */
function openShared() {
  let hub = openTestHub({ limits: { readMessages: 4, inboxCap: 12 } });
  let restarting: Promise<void> = Promise.resolve();
  return {
    hub: () => hub,
    restart() {
      const old = hub;
      restarting = old.restart().then((next) => {
        hub = next;
      });
      return restarting;
    },
    /** Looks at what is stored, once a hub is there. */
    async look<T>(at: (hub: TestHub) => T): Promise<T> {
      await restarting;
      return at(hub);
    },
    /** As a client does: what a stopping hub refused is sent again to the next one. */
    async call<T>(act: (hub: TestHub) => Promise<T>): Promise<T | undefined> {
      for (;;) {
        try {
          return await act(hub);
        } catch (error) {
          const code = error instanceof HubError ? error.code : undefined;
          if (code !== undefined && refusals.has(code)) return undefined;
          if (code !== "SHUTTING_DOWN") throw error;
          await restarting;
        }
      }
    },
  };
}

type Shared = ReturnType<typeof openShared>;
type Run = { shared: Shared; ledger: MailLedger; agents: AgentId[]; prefix: string };

async function act({ shared, ledger, agents, prefix }: Run, me: number, step: Step): Promise<void> {
  const self = agents[me] ?? "";
  const peer = (n: number) => agents[(me + 1 + (n % (agents.length - 1))) % agents.length] ?? "";
  switch (step.do) {
    case "send": {
      const to = peer(step.to);
      const sendOne = async (id: string) => {
        let sent = 0;
        const receipt = await shared.call((hub) => {
          sent = ledger.sending();
          return hub.send(self, to, id, { id, expiresInMs: step.expiresInMs });
        });
        if (receipt === undefined) return;
        // Mail goes to whoever has the name when it is decided: perhaps not to whom it had when it was sent.
        const stored = await shared.look(({ views }) => views.messages.bySeq(receipt.seq));
        const recipient = stored?.data.message.to[0]?.agent ?? "";
        ledger.accepted({ id, from: self, to: recipient, sent, seq: receipt.seq });
      };
      const ids = Array.from({ length: step.burst }, () => `${prefix}m${++messages}`);
      await Promise.all([...ids, ...(step.again ? ids : [])].map(sendOne));
      return;
    }
    case "read": {
      const from = step.from === undefined ? undefined : peer(step.from);
      const offered = await shared.call((hub) => hub.read(self, from));
      if (offered !== undefined) ledger.read(self, offered);
      return;
    }
    case "ack": {
      const ids = ledger.unacknowledged(self).slice(0, step.count);
      if (ids.length === 0) return;
      const answer = await shared.call((hub) => hub.ack(self, ...ids));
      if (answer !== undefined) ledger.acknowledged(answer.acknowledged);
      return;
    }
    case "rename":
      await shared.call((hub) => hub.rename(self, prefix + step.name));
      return;
    case "leave": {
      await shared.call((hub) => hub.deregister(self));
      ledger.left(self);
      agents[me] = (await shared.call((hub) => hub.register(`${prefix}${me}`))) ?? "";
      return;
    }
    case "idle":
      await new Promise((resolve) => setImmediate(resolve));
  }
}

async function actAsWorld({ shared }: Run, step: WorldStep): Promise<void> {
  if (step.do === "restart") return shared.restart();
  shared.hub().clock.advance(step.ms);
  await shared.call((hub) => hub.ring());
}

let messages = 0;
let runs = 0;

test(
  `in ${RUNS} random histories mail is first in, first out per pair, once in the inbox, and none is lost`,
  async () => {
    const shared = openShared();
    let accepted = 0;
    await checkAsyncProperty(
      fc.asyncProperty(scenario, fc.scheduler(), async ({ scripts, world }, scheduler) => {
        const prefix = `r${++runs}-`;
        const agents = await Promise.all(scripts.map((_, i) => shared.hub().register(`${prefix}${i}`)));
        const run: Run = { shared, ledger: createMailLedger(), agents, prefix };
        const began = shared.hub().events.lastSeq();

        const inTurn = async <S>(steps: readonly S[], take: (step: S) => Promise<void>) => {
          for (const step of steps) {
            await scheduler.schedule(Promise.resolve(), JSON.stringify(step));
            await take(step);
          }
        };
        await scheduler.waitFor(
          Promise.all([
            ...scripts.map((steps, me) => inTurn(steps, (step) => act(run, me, step))),
            inTurn(world, (step) => actAsWorld(run, step)),
          ]),
        );

        const hub = shared.hub();
        run.ledger.check(hub.views, hub.events.pageAfter(began, 100_000));
        accepted += run.ledger.size();
      }),
      { runs: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS); // It tested something.
  },
  // Waited out only where it hangs.
  600_000 + RUNS * 100,
);
