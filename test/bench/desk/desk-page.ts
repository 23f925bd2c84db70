import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { type DeskPlace, loginLink } from "../../../src/model/desk-link.js";
import { findChromium } from "../../fakes/find-chromium.js";
import type { BenchHub, Lab } from "../lab.js";

/** A real Chromium that ends with the lab; what it writes goes into a folder of the lab. */
export async function openBrowser(lab: Lab): Promise<Browser> {
  const home = lab.folder();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: false,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home, XDG_CACHE_HOME: join(home, "cache") },
  });
  lab.onClose(() => browser.close());
  return browser;
}

/** A desk in a browser window of its own, logged in as `huddle ui` does it. */
export async function openDeskPage(browser: Browser, hub: BenchHub, place: DeskPlace): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(await newLink(hub, place));
  await page.waitForURL((url) => !url.hash.includes("code="));
  return page;
}

export async function newLink(hub: BenchHub, place: DeskPlace): Promise<string> {
  const { json } = await hub.http.call("POST", "/auth/code", { token: hub.operator });
  return loginLink(hub.url, String(json["code"]), place);
}

/** Seconds of work that the page's main thread has done by now. */
export async function openThreadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
}

/** Bytes that the page's scripts hold, after its garbage was collected. */
export async function openHeapGauge(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  return async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
}
