import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { cpuMs } from "../cpu-time.js";
import { spawnAgents } from "../inject.js";
import type { BenchHub, Lab } from "../lab.js";
import type { Measurement } from "../row.js";
import { type Pair, summarize } from "../statistics.js";
import { within } from "../within.js";
import { openBrowser, openDeskPage, openHeapGauge, openThreadClock } from "./desk-page.js";

const AGENTS = 10;
const MIB = 1024 * 1024;
const MESSAGES = 10_000;

/** Ten agents stream while a desk looks on; then ten thousand messages come in. */
export const deskCrowd: Measurement = {
  name: "desk-crowd",
  async run(lab) {
    const program = resolve("test", "fakes", "scripted-agent", "acp.mjs");
    const hub = await lab.hub({
      set: [
        `backends.bench.acp=${JSON.stringify([process.execPath, program])}`,
        'allowed_roots=["/"]',
        "inbox.cap=1000000",
        "log.level=warn",
      ],
    });
    const names = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
    await within(120_000, "starting ten agents", spawnAgents(hub, names));
    const seconds = lab.quick ? 4 : 10;
    const browser = await openBrowser(lab);
    const costs: Pair[] = [];
    const threads: Pair[] = [];
    for (let round = 0; round < (lab.quick ? 2 : 5); round++) {
      const alone = await streaming(hub, names, seconds, async () => {
        const before = cpuMs(hub.pid);
        await sleep(seconds * 1000);
        return cpuMs(hub.pid) - before;
      });
      const page = await openDeskPage(browser, hub, { page: "agent", name: "agent-0" });
      await page.bringToFront();
      await page.locator("[data-row]").first().waitFor();
      const busy = await openThreadClock(page);
      const watched = await streaming(hub, names, seconds, async () => {
        const [cpu, work, start] = [cpuMs(hub.pid), await busy(), performance.now()];
        await sleep(seconds * 1000);
        const took = (performance.now() - start) / 1000;
        threads.push({ anchor: took * 1000, ours: ((await busy()) - work) * 1000 });
        return cpuMs(hub.pid) - cpu;
      });
      costs.push({ anchor: alone, ours: watched });
      await page.context().close();
    }
    const memory = await memoryOver(lab, hub, browser);
    return [
      {
        what: `Work of a desk's main thread while ${AGENTS} agents stream`,
        against: "the time that passed",
        unit: "ms",
        ...summarize(threads),
        limit: { on: "ratio", is: "at most", bound: 0.5 },
      },
      {
        what: `CPU of the hub while ${AGENTS} agents stream and a desk looks on`,
        against: "while nobody looks",
        unit: "ms",
        ...summarize(costs),
        limit: { on: "ratio", is: "at most", bound: 1.1 },
      },
      {
        what: `Memory of a desk after ${MESSAGES.toLocaleString("en")} messages came in`,
        against: "after the first 1,000",
        unit: "MiB",
        ...summarize([memory]),
        limit: { on: "ratio", is: "at most", bound: 1.25 },
      },
    ];
  },
};

/** All of them stream for longer than what is measured takes; afterwards they are let come to their end. */
async function streaming<T>(
  hub: BenchHub,
  names: readonly string[],
  seconds: number,
  measure: () => Promise<T>,
): Promise<T> {
  const ticks = Math.ceil(((seconds + 3) * 1000) / 20);
  for (const name of names) await send(hub, name, `!stream ${ticks}`);
  await sleep(1000);
  const measured = await measure();
  await within(120_000, "the agents to come to rest", rest(hub, names));
  return measured;
}

async function rest(hub: BenchHub, names: readonly string[]): Promise<void> {
  for (const name of names) {
    for (;;) {
      const { json } = await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator });
      if (json["state"] === "idle") break;
      await sleep(100);
    }
  }
}

async function memoryOver(lab: Lab, hub: BenchHub, browser: Browser): Promise<Pair> {
  const target = await hub.http.call("POST", "/api/agents", { token: hub.join, body: { name: "sink" } });
  if (target.status !== 201) throw new Error(target.text);
  const page = await openDeskPage(browser, hub, { page: "agent", name: "sink" });
  await page.bringToFront();
  const heap = await openHeapGauge(page);
  const fill = async (from: number, to: number) => {
    const lanes = [0, 1, 2, 3].map(async (lane) => {
      for (let i = from + lane; i < to; i += 4)
        await send(hub, "sink", `message number ${i}: ${"words ".repeat(30)}`);
    });
    await Promise.all(lanes);
    // Those of the lanes come in any order: this one is the last, and so the one that is in view.
    await send(hub, "sink", `that was number ${to}`);
    await page.getByText(`that was number ${to}`).last().waitFor({ timeout: 60_000 });
    await sleep(1000);
  };
  const total = lab.quick ? MESSAGES / 4 : MESSAGES;
  await fill(0, 1000);
  const anchor = (await heap()) / MIB;
  await fill(1000, 1000 + total);
  const ours = (await heap()) / MIB;
  await page.context().close();
  return { anchor, ours };
}

async function send(hub: BenchHub, to: string, message: string): Promise<void> {
  const path = `/api/agents/${to}/messages`;
  const answer = await hub.http.call("POST", path, { token: hub.operator, body: { message } });
  if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
}
