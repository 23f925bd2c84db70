import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import type { DeskPlace } from "../../src/model/desk-link.js";
import { newLink, openBrowser } from "../bench/desk/desk-page.js";
import { type BenchHub, openLab } from "../bench/lab.js";
import { openScene } from "./scene.js";

/*
 * Takes the pictures of the desk: every page, dark and light, on a wide screen and on a phone.
 * Usage: npm run shots -- FOLDER [PAGE…]
 */

const [folder = join(".cache", "shots"), ...wanted] = process.argv.slice(2);
const pages: Record<string, DeskPlace> = {
  chat: { page: "agent", name: "checkout-lead" },
  streaming: { page: "agent", name: "tax-dev" },
  "needs-you": { page: "needs-you" },
  network: { page: "network" },
  requests: { page: "requests" },
  workflows: { page: "workflows" },
  log: { page: "log" },
  health: { page: "health" },
  "new-agent": { page: "new-agent" },
};
const sizes = { 1440: { width: 1440, height: 960 }, 390: { width: 390, height: 844 } };

const lab = openLab({ quick: true });
try {
  mkdirSync(folder, { recursive: true });
  const hub = await openScene(lab);
  await hub.http.call("POST", "/api/doctor", { token: hub.operator });
  const browser = await openBrowser(lab);
  for (const [name, place] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const theme of ["dark", "light"] as const) {
      for (const [width, viewport] of Object.entries(sizes))
        await shoot(browser, hub, place, { theme, viewport, file: `${name}-${theme}-${width}.png` });
    }
  }
} finally {
  await lab.close();
}

type Shot = { theme: "dark" | "light"; viewport: { width: number; height: number }; file: string };

async function shoot(browser: Browser, hub: BenchHub, place: DeskPlace, shot: Shot): Promise<void> {
  const context = await browser.newContext({
    colorScheme: shot.theme,
    viewport: shot.viewport,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(await newLink(hub, place));
  await page.getByText("live", { exact: true }).first().waitFor();
  // What comes in parts has come by then.
  await sleep(1500);
  await page.screenshot({ path: join(folder, shot.file) });
  console.error(shot.file);
  await context.close();
}
