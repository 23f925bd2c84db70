import type { Browser } from "playwright-core";
import { registerAgent } from "../../fakes/member.js";
import type { BenchHub } from "../lab.js";
import { longHistory } from "../long-history.js";
import type { Measurement } from "../row.js";
import { summarize, takeTurns } from "../statistics.js";
import { newLink, openBrowser } from "./desk-page.js";

const EVENTS = 104_000;
const READER = "reader-0";

/** From the first byte of the page until the newest messages of a chat stand there, over a long history and a short one. */
export const deskOpen: Measurement = {
  name: "desk-open",
  async run(lab) {
    const long = await lab.hub({ home: await longHistory(EVENTS) });
    const short = await lab.hub();
    const [reader, writer] = [
      await registerAgent(short.http, short.join, { name: READER }),
      await registerAgent(short.http, short.join, { name: "writer" }),
    ];
    for (let i = 0; i < 20; i++) await writer.send(reader.name, `message ${i}`);
    const browser = await openBrowser(lab);
    // Once each, so that what is read from disk for the first time counts for neither.
    for (const hub of [short, long]) await openOnce(browser, hub);
    const pairs = await takeTurns(
      lab.quick ? 3 : 9,
      () => openOnce(browser, short),
      () => openOnce(browser, long),
    );
    return [
      {
        what: "The desk opens the chat of an agent, with 100,000 messages in the hub",
        against: "with 20",
        unit: "ms",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at most", bound: 1.5 },
      },
    ];
  },
};

/** In a window that has nothing of the desk in its cache. */
async function openOnce(browser: Browser, hub: BenchHub): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const page = await context.newPage();
    const link = await newLink(hub, { page: "agent", name: READER });
    const start = performance.now();
    await page.goto(link);
    await page.locator("[data-row]").first().waitFor();
    return performance.now() - start;
  } finally {
    await context.close();
  }
}
