import { describe, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { findContradiction } from "../soak/claim-history.js";
import { runClaims } from "../soak/claims.js";
import { badHistory, goodHistory, plantedFaults } from "../soak/plant-history.js";

/** `npm run soak claims` makes 100,000 of them. */
const ATTEMPTS = 5000;
const KILLS = 10;
/** At one moment; `npm run soak moment` has a thousand. */
const AGENTS = Number(process.env["HUDDLE_CLAIMERS"] ?? 200);

/** One known seed and the new one. */
const seeds = chooseSeeds().slice(-2);

test.each(seeds)(
  "many attempts with kills in between: no claim has two winners, and one order explains every answer (SEED=%i)",
  async (seed) => {
    const attempts = Math.ceil(ATTEMPTS / seeds.length);
    const kills = Math.ceil(KILLS / seeds.length);
    const result = await runClaims({ attempts, kills, random: createRandom(seed) });
    console.log(`SEED=${seed}`, { ...result, violations: result.violations.length });

    expect(result.violations, `SEED=${seed} repeats this`).toEqual([]);
    expect(result).toMatchObject({ doubleWinners: 0, kills });
    expect(result.attempts).toBeGreaterThanOrEqual(attempts);
    expect(result.unanswered).toBeGreaterThan(0);
  },
);

test("of hundreds of agents that claim one request at the same moment one wins, and all are told the same", async () => {
  const yard = createHubYard();
  try {
    const hub = await yard.start();
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, (_, i) => registerAgent(hub.http, hub.join, { name: `agent-${i}` })),
    );
    const opened = await hub.http.call("POST", "/api/requests", {
      token: hub.operator,
      body: { description: "claim me", timeout_seconds: 600 },
    });
    const id = String(opened.json["request_id"]);

    const answers = await Promise.all(agents.map((agent) => agent.call("POST", `/api/requests/${id}/claim`)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const winners = agents.filter((_, i) => answers[i]?.json["claimed"] === true).map(({ name }) => name);
    const owners = answers.map(({ json }) => (json["request"] as { claimed_by: string }).claimed_by);
    expect(winners).toHaveLength(1);
    expect(new Set(owners)).toEqual(new Set(winners));
  } finally {
    await yard.clear();
  }
});

describe("the check itself", () => {
  test("finds an explanation for each of 200 good histories", () => {
    const random = createRandom(1);
    const unexplained = Array.from({ length: 200 }, () => findContradiction(goodHistory(random)));
    expect(unexplained.filter((problem) => problem !== undefined)).toEqual([]);
  });

  test("rejects 50 of 50 planted bad histories", () => {
    const random = createRandom(2);
    const faults = Object.keys(plantedFaults) as (keyof typeof plantedFaults)[];
    const planted = Array.from({ length: 50 }, (_, i) => faults[i % faults.length] ?? "two winners at once");
    const missed = planted.filter((fault) => findContradiction(badHistory(random, fault)) === undefined);
    expect(planted).toHaveLength(50);
    expect(missed).toEqual([]);
  });

  test("knows that what overlaps may have happened in either order, and what was not answered may have happened or not", () => {
    const lost = { kind: "lost", owner: "ben" } as const;
    const ben = { by: "ben", action: "claim", called: 5, answered: 15, outcome: { kind: "won" } } as const;
    const ann = { by: "ann", action: "claim", called: 0, answered: 10, outcome: lost } as const;
    const unanswered = { ...ben, answered: Number.POSITIVE_INFINITY, outcome: { kind: "unknown" } } as const;

    expect(findContradiction([ann, ben])).toBeUndefined();
    expect(findContradiction([ann, unanswered])).toBeUndefined();
    expect(findContradiction([{ ...ann, outcome: { kind: "won" } }, unanswered])).toBeUndefined();
    expect(findContradiction([ann, { ...unanswered, called: 11 }])).toBeDefined();
  });
});
