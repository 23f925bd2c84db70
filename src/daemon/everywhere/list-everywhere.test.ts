import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { createTestClock } from "../../../test/fakes/test-clock.js";
import { cutPage } from "../../link/directory-page.js";
import { HubError } from "../../model/errors.js";
import type { DirectoryEntry } from "../../model/link.js";
import { type AskedHub, listEverywhere } from "./list-everywhere.js";

const entry = (name: string): DirectoryEntry => ({
  id: name,
  name,
  team: "main",
  label: null,
  status: "idle",
});

function hubOf(hub: string, names: readonly string[]): AskedHub {
  return {
    hub,
    ask: async (page) => cutPage(names.map(entry), page),
    addressOf: ({ name }) => (hub === "" ? name : `${name}@${hub}`),
  };
}

function silentHub(hub: string): AskedHub {
  return { ...hubOf(hub, []), ask: () => new Promise(() => {}) };
}

const clock = createTestClock();
const list = (hubs: readonly AskedHub[], limit: number, cursor?: string) =>
  listEverywhere(hubs, { limit, cursor }, clock, { askMs: 20, pageMs: 60_000 });

/** All pages, one after the other. */
async function listAll(hubs: readonly AskedHub[], limit: number) {
  const names: string[] = [];
  const problems: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await list(hubs, limit, cursor);
    expect(page.agents.length).toBeLessThanOrEqual(limit);
    names.push(...page.agents.map(({ name }) => name));
    problems.push(...page.problems.map(({ hub, kind }) => `${hub} ${kind}`));
    cursor = page.next ?? undefined;
    pages++;
  } while (cursor !== undefined);
  return { names, problems, pages };
}

test("pages of any size show everybody once: this hub first, then hubs and agents by name", async () => {
  const hubs = [
    hubOf("", ["zoe", "ann"]),
    hubOf("alpha", ["bob", "ann", "cleo"]),
    hubOf("beta", []),
    hubOf("gamma", ["dan"]),
  ];
  const all = ["ann", "zoe", "ann@alpha", "bob@alpha", "cleo@alpha", "dan@gamma"];
  for (const limit of [1, 2, 3, 5, 6, 50]) expect((await listAll(hubs, limit)).names).toEqual(all);
});

test("a hub that does not answer is named on its page and holds nobody else back", async () => {
  const refusing: AskedHub = {
    ...hubOf("delta", []),
    ask: () => Promise.reject(new HubError("PEER_UNTRUSTED", "another key")),
  };
  const { agents, problems, next } = await list(
    [hubOf("", ["ann"]), silentHub("alpha"), refusing, hubOf("zeta", ["bob"])],
    50,
  );
  expect(agents.map(({ name }) => name)).toEqual(["ann", "bob@zeta"]);
  expect(problems).toEqual([
    { hub: "alpha", kind: "no_answer", problem: '"alpha" did not answer within 0.02 s' },
    { hub: "delta", kind: "untrusted", problem: "another key" },
  ]);
  expect(next).toBeNull();
});

test("many hubs without an answer end a page, and the next one goes on behind them", async () => {
  const away = (n: number): AskedHub => ({
    ...hubOf(`away-${String(n).padStart(3, "0")}`, []),
    ask: () => Promise.reject(new HubError("PEER_UNREACHABLE", "away")),
  });
  const hubs = [...Array.from({ length: 450 }, (_, n) => away(n)), hubOf("zeta", ["bob"])];
  const { names, problems, pages } = await listAll(hubs, 50);
  expect(names).toEqual(["bob@zeta"]);
  expect(problems).toHaveLength(450);
  expect(pages).toBe(3);
});

test("a page whose time is over ends there, and the next one goes on", async () => {
  const slow: AskedHub = {
    ...hubOf("alpha", ["ann"]),
    async ask(page) {
      clock.advance(10_000);
      return cutPage([entry("ann")], page);
    },
  };
  const hubs = [slow, hubOf("beta", ["bob"])];
  const first = await listEverywhere(hubs, { limit: 50 }, clock);
  expect(first).toMatchObject({ agents: [{ name: "ann@alpha" }], next: "alpha:" });
  expect(await listEverywhere(hubs, { limit: 50, cursor: "alpha:" }, clock)).toMatchObject({
    agents: [{ name: "bob@beta" }],
    next: null,
  });
});

test("a hub that makes agents up without end is cut, and said to be", async () => {
  let made = 0;
  const endless: AskedHub = {
    ...hubOf("alpha", []),
    async ask({ limit }) {
      const agents = Array.from({ length: limit }, () => entry(`a${String(made++).padStart(9, "0")}`));
      return { agents, next: "more", leftOut: 2 };
    },
  };
  const { names, problems } = await listAll([endless, hubOf("beta", ["bob"])], 1000);
  expect(names).toHaveLength(10_001);
  expect(names.at(-1)).toBe("bob@beta");
  expect(problems.at(-1)).toBe("alpha cut");
});

test("no more than eight hubs are asked at once", async () => {
  let underWay = 0;
  let most = 0;
  const hubs = Array.from(
    { length: 40 },
    (_, n): AskedHub => ({
      ...hubOf(`hub-${String(n).padStart(2, "0")}`, []),
      async ask() {
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay--;
        return { agents: [] };
      },
    }),
  );
  await listEverywhere(hubs, { limit: 50 }, clock);
  expect(most).toBe(8);
});

test("a cursor that no page gave is refused", async () => {
  for (const cursor of ["x", "mini:1", "mini:x:ann/main", "a b:", "mini:1:ANN"])
    expect(await refusal(list([], 5, cursor))).toMatchObject({ code: "INVALID_INPUT" });
});
