import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { registerAgent } from "../../fakes/member.js";
import type { BenchHub, Lab } from "../lab.js";
import { longHistory } from "../long-history.js";
import type { Measurement } from "../row.js";
import { type Pair, summarize, takeTurns } from "../statistics.js";
import { newLink, openBrowser, openDeskPage } from "./desk-page.js";

const SHORT = 1000;
/** Indexing the whole history for the first time. */
const INDEXED_MS = 30 * 60_000;

/** The log over a long history: its newest page, a jump into the middle, and its frames while somebody scrolls. */
export const deskLog: Measurement = {
  name: "desk-log",
  // A journal with a million messages and its index are made first.
  longestMs: INDEXED_MS + 15 * 60_000,
  async run(lab) {
    const many = lab.quick ? 200_000 : 1_000_000;
    const long = await lab.hub({ home: await longHistory(many) });
    const short = await openShort(lab);
    const total = await indexed(long);
    await indexed(short);
    const browser = await openBrowser(lab);
    for (const hub of [short, long]) await openOnce(browser, hub);
    const opened = await takeTurns(
      lab.quick ? 3 : 9,
      () => openOnce(browser, short),
      () => openOnce(browser, long),
    );
    const jumps: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 3 : 9); round++)
      jumps.push({ anchor: await jump(browser, short), ours: await jump(browser, long) });
    const frames = await takeTurns(
      lab.quick ? 2 : 5,
      () => emptyFrames(browser),
      () => scrollFrames(browser, long),
    );
    const messages = `${total.toLocaleString("en")} messages`;
    return [
      {
        what: `The log opens, over ${messages}`,
        against: `over ${SHORT.toLocaleString("en")}`,
        unit: "ms",
        ...summarize(opened),
        limit: { on: "ratio", is: "at most", bound: 1.5 },
      },
      {
        what: `The log jumps to its middle, over ${messages}`,
        against: `over ${SHORT.toLocaleString("en")}`,
        unit: "ms",
        ...summarize(jumps),
        limit: { on: "ours", is: "at most", bound: 500 },
      },
      {
        what: `Frames while the log scrolls, over ${messages}`,
        against: "an empty page",
        unit: "/s",
        ...summarize(frames),
        limit: { on: "ratio", is: "at least", bound: 0.8 },
      },
    ];
  },
};

async function openShort(lab: Lab): Promise<BenchHub> {
  const hub = await lab.hub({ set: ["inbox.cap=1000000"] });
  const reader = await registerAgent(hub.http, hub.join, { name: "reader" });
  for (let i = 0; i < SHORT; i++) {
    const body = { message: `message ${i}: ${"words ".repeat(30)}` };
    const { status, text } = await hub.http.call("POST", `/api/agents/${reader.name}/messages`, {
      token: hub.operator,
      body,
    });
    if (status !== 202) throw new Error(text);
  }
  return hub;
}

/** Waits until the index has everything, and says how many messages that are. */
async function indexed(hub: BenchHub): Promise<number> {
  const until = performance.now() + INDEXED_MS;
  for (;;) {
    const { json } = await hub.http.call("GET", "/api/health/details", { token: hub.operator });
    const views = json["views"] as { behind: number }[];
    const { json: found } = await hub.http.call("GET", "/api/search/count?turns=false", {
      token: hub.operator,
    });
    if (views.every(({ behind }) => behind === 0) && Number(found["total"]) > 0)
      return Number(found["total"]);
    if (performance.now() > until) throw new Error("the index did not catch up");
    await sleep(500);
  }
}

/** In a window that has nothing of the desk in its cache, until the newest rows stand there. */
async function openOnce(browser: Browser, hub: BenchHub): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const page = await context.newPage();
    const link = await newLink(hub, { page: "log" });
    const start = performance.now();
    await page.goto(link);
    await page.locator(".log-row[data-seq]").first().waitFor();
    return performance.now() - start;
  } finally {
    await context.close();
  }
}

async function openLog(browser: Browser, hub: BenchHub): Promise<Page> {
  const page = await openDeskPage(browser, hub, { page: "log" });
  await page.bringToFront();
  await page.locator(".log-row[data-seq]").first().waitFor();
  // It knows how many there are when its scroll bar stands for more than the first page.
  while ((await page.evaluate<number>(`document.querySelector(".log-scroll").scrollHeight`)) < 20_000)
    await sleep(50);
  return page;
}

/** From the moment that the scroll bar is let go in the middle until all rows in view are there. */
async function jump(browser: Browser, hub: BenchHub): Promise<number> {
  const page = await openLog(browser, hub);
  try {
    return await page.evaluate<number>(`(async () => {
      const scroller = document.querySelector(".log-scroll");
      const start = performance.now();
      scroller.scrollTop = scroller.scrollHeight / 2;
      await new Promise((resolve) => {
        const look = () => {
          const isMoved = Number(document.querySelector(".log-row[aria-rowindex]:not(.log-row--head)")?.getAttribute("aria-rowindex")) > 200;
          if (isMoved && document.querySelector(".log-row--blank") === null) resolve();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      return performance.now() - start;
    })()`);
  } finally {
    await page.context().close();
  }
}

const SECONDS = 3;

/** Frames in a second, with something done in each. */
const countFrames = (each: string) => `new Promise((resolve) => {
  let frames = 0;
  const start = performance.now();
  const next = () => {
    ${each}
    frames += 1;
    const passed = performance.now() - start;
    if (passed > ${SECONDS * 1000}) resolve(frames / (passed / 1000));
    else requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})`;

async function emptyFrames(browser: Browser): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  try {
    const page = await context.newPage();
    await page.bringToFront();
    return await page.evaluate<number>(countFrames(""));
  } finally {
    await context.close();
  }
}

/** As fast as a hand turns a wheel: some 3,600 pixels in a second. */
async function scrollFrames(browser: Browser, hub: BenchHub): Promise<number> {
  const page = await openLog(browser, hub);
  try {
    return await page.evaluate<number>(countFrames(`document.querySelector(".log-scroll").scrollTop += 60;`));
  } finally {
    await page.context().close();
  }
}
