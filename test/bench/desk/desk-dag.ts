import type { Browser } from "playwright-core";
import { registerAgent } from "../../fakes/member.js";
import type { BenchHub } from "../lab.js";
import type { Measurement } from "../row.js";
import { summarize, takeTurns } from "../statistics.js";
import { newLink, openBrowser } from "./desk-page.js";

const FEW = 20;
const MANY = 200;
const AGENT = "worker";

/** How long the desk takes to lay out the graph of a workflow, as the page itself measures it. */
export const deskDag: Measurement = {
  name: "desk-dag",
  async run(lab) {
    const hub = await lab.hub();
    await registerAgent(hub.http, hub.join, { name: AGENT });
    const [few, many] = [await create(hub, FEW), await create(hub, MANY)];
    const browser = await openBrowser(lab);
    for (const id of [few, many]) await layOutOnce(browser, hub, id);
    const pairs = await takeTurns(
      lab.quick ? 5 : 15,
      () => layOutOnce(browser, hub, few),
      () => layOutOnce(browser, hub, many),
    );
    return [
      {
        what: `The desk lays out a workflow of ${MANY} steps`,
        against: `one of ${FEW}`,
        unit: "ms",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 15 },
      },
    ];
  },
};

/** Layers of five, each step after its predecessor and another of the layer before, and now and then one from far back. */
async function create(hub: BenchHub, count: number): Promise<string> {
  const wide = 5;
  const steps = Array.from({ length: count }, (_, at) => {
    const before = Math.floor(at / wide) * wide - wide;
    const depends = [
      before + (at % wide),
      before + ((at * 3 + 1) % wide),
      ...(at % 9 === 0 ? [at - 4 * wide] : []),
    ];
    return {
      name: `s${at}`,
      agent: AGENT,
      prompt: "Work.",
      depends_on: [...new Set(depends)].filter((other) => other >= 0).map((other) => `s${other}`),
    };
  });
  const { status, json, text } = await hub.http.call("POST", "/api/workflows", {
    token: hub.operator,
    body: { name: `of ${count}`, steps },
  });
  if (status !== 201) throw new Error(`not created: ${text}`);
  return String(json["workflow_id"]);
}

/** In a window of its own: nothing is warm in either. */
async function layOutOnce(browser: Browser, hub: BenchHub, id: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const page = await context.newPage();
    await page.goto(await newLink(hub, { page: "workflows", id }));
    await page.locator("[data-step]").first().waitFor();
    return await page.evaluate(() =>
      performance.getEntriesByName("lay out steps").reduce((sum, { duration }) => sum + duration, 0),
    );
  } finally {
    await context.close();
  }
}
