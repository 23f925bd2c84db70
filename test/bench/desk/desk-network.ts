import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { type Member, registerAgent } from "../../fakes/member.js";
import type { BenchHub } from "../lab.js";
import type { Measurement } from "../row.js";
import { type Pair, summarize } from "../statistics.js";
import { openBrowser, openDeskPage, openThreadClock } from "./desk-page.js";

const AGENTS = 50;
/** To how many each of them writes. */
const PEERS = 6;
const PER_SECOND = 100;
const LANES = 4;

/** Fifty agents, three hundred pairs and a hundred messages a second, while a desk looks at the network. */
export const deskNetwork: Measurement = {
  name: "desk-network",
  async run(lab) {
    const hub = await lab.hub({ set: ["inbox.cap=1000000", "log.level=warn"] });
    const pairs = await joinAll(hub);
    const writing = new AbortController();
    const writers = Array.from({ length: LANES }, (_, lane) => write(pairs, lane, writing.signal));
    const browser = await openBrowser(lab);
    const threads: Pair[] = [];
    const seconds = lab.quick ? 5 : 10;
    try {
      for (let round = 0; round < (lab.quick ? 2 : 5); round++) {
        const page = await openDeskPage(browser, hub, { page: "network" });
        await page.bringToFront();
        await page.locator(`[data-edge]:nth-of-type(${pairs.length})`).waitFor({ state: "attached" });
        await sleep(2000);
        const busy = await openThreadClock(page);
        const rows = await placesOf(page);
        const [work, start] = [await busy(), performance.now()];
        await sleep(seconds * 1000);
        const took = performance.now() - start;
        threads.push({ anchor: took, ours: ((await busy()) - work) * 1000 });
        const moved = (await placesOf(page)).filter((row, at) => row !== rows[at]);
        if (moved.length > 0) throw new Error(`rows moved: ${moved.join("; ")}`);
        await page.context().close();
      }
    } finally {
      writing.abort();
      await Promise.all(writers);
    }
    return [
      {
        what: `Work of a desk's main thread at the network of ${AGENTS} agents and ${pairs.length} pairs, ${PER_SECOND} messages a second`,
        against: "the time that passed",
        unit: "ms",
        ...summarize(threads),
        limit: { on: "ratio", is: "at most", bound: 0.3 },
      },
    ];
  },
};

type Way = { from: Member; to: string };

/** Each pair has written once, so that all rows are there. */
async function joinAll(hub: BenchHub): Promise<Way[]> {
  const members: Member[] = [];
  for (let i = 0; i < AGENTS; i++)
    members.push(await registerAgent(hub.http, hub.join, { name: `agent-${String(i).padStart(2, "0")}` }));
  const pairs = members.flatMap((from, i) =>
    Array.from({ length: PEERS }, (_, step) => ({
      from,
      to: members[(i + 1 + step * 7) % AGENTS]?.name ?? "",
    })),
  );
  for (const { from, to } of pairs) await send(from, to, "hello");
  return pairs;
}

/** One of several who together write so many messages a second, each pair in its turn. */
async function write(pairs: readonly Way[], lane: number, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  for (let n = 0; !signal.aborted; n++) {
    const way = pairs[(n * LANES + lane) % pairs.length];
    if (way !== undefined) await send(way.from, way.to, `message ${n}: ${"words ".repeat(12)}`);
    const due = start + ((n + 1) * LANES * 1000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
  }
}

async function send(from: Member, to: string, message: string): Promise<void> {
  const { status, text } = await from.send(to, message);
  if (status !== 202) throw new Error(`not taken: ${status} ${text}`);
}

/** Which row stands where, asked in the words of the page. */
async function placesOf(page: Page): Promise<string[]> {
  const rows = await page.evaluate<string>(
    `[...document.querySelectorAll("tr[data-pair]")]
      .map((row) => row.dataset.pair + " at " + row.getBoundingClientRect().top).join("\\n")`,
  );
  return rows.split("\n");
}
