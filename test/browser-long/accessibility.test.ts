import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DeskPlace, deskLink } from "../../src/model/desk-link.js";
import { personAt } from "../browser/chat-scene.js";
import { crewNames, failingCheck, joinCrew, memberOf, playFixAndVerify } from "../browser/work-scene.js";
import { askPerson } from "../fakes/asking-agents.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";

/*
 * Every page for people with disabilities, in the light theme and on a phone. In the dark theme, as wide as a laptop, each page's own file in
 * test/browser looks. One hub has something of everything, and one desk walks over its pages.
 */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let workflow: string;
let request: string;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: [failingCheck, "budgets.agent_usd=5", "requests.default=1h"] });
  const crew = await joinCrew(hub, crewNames);
  workflow = await playFixAndVerify(hub, crew);
  await memberOf(crew, "db-dev").send("cart-dev", "the rounding is wrong");
  const posted = await memberOf(crew, "tax-dev").call("POST", "/api/requests", {
    body: { description: "x".repeat(300) },
  });
  request = String(posted.json["request_id"]);
  await spawnAgent(hub, { name: "cost-dev", project: hub.home });
  await reaches(hub, await personAt(hub).send("cost-dev", "!usage 1.25 !say done"), "finished");
  await eventually(async () => {
    const { json } = await personAt(hub).call("GET", "/api/usage");
    return (json["usage"] as unknown[]).length > 0 ? true : undefined;
  }, "the usage of a turn");
});
afterAll(() => yard.clear());

type Scene = {
  name: string;
  place?: DeskPlace;
  width?: number;
  /** Until what is to be looked at is there. */
  ready(page: Page): Promise<unknown>;
};

const home: Scene = {
  name: "the agents",
  ready: (page) => page.getByText("checkout-lead").first().waitFor(),
};
const health: Scene = {
  name: "health",
  place: { page: "health" },
  async ready(page) {
    await page.getByRole("row", { name: /cost-dev/ }).waitFor();
    await page.getByRole("row", { name: /^scripted/ }).waitFor();
  },
};
const log: Scene = {
  name: "log",
  place: { page: "log", id: "rounding after:1d" },
  async ready(page) {
    await page.locator(".log-row__open").first().click();
    await page.getByText("Way of the message").waitFor();
  },
};
const newAgent: Scene = {
  name: "new agent",
  place: { page: "new-agent" },
  async ready(page) {
    const dialog = page.getByRole("dialog", { name: "New agent" });
    await dialog.locator(".backend--chosen").waitFor();
    await dialog.getByLabel("Project folder").focus();
    await dialog.getByRole("listbox").waitFor();
  },
};
const wide = (): Scene[] => [
  {
    name: "chat",
    place: { page: "agent", name: "cost-dev" },
    width: 1440,
    async ready(page) {
      await page.locator(".turn").first().waitFor();
      await page.keyboard.press("k");
      await page.keyboard.press("e");
    },
  },
  {
    name: "network",
    place: { page: "network" },
    width: 1440,
    async ready(page) {
      await page.locator('tr[data-pair="db-dev cart-dev"]').click();
      await page.getByRole("region", { name: "db-dev to cart-dev" }).waitFor();
    },
  },
  {
    name: "requests",
    place: { page: "requests", id: request },
    ready: (page) => page.locator(".request-panel").getByRole("button", { name: "Claim it" }).waitFor(),
  },
  {
    name: "workflows",
    place: { page: "workflows", id: workflow, step: "fix-capture" },
    width: 1440,
    async ready(page) {
      const drawer = page.locator(".step-drawer");
      await drawer.getByText("exit 1", { exact: true }).waitFor();
      await drawer.getByText("expected 19.97 to be 19.98").waitFor();
    },
  },
];

async function lookAt(page: Page, { name, place, width, ready }: Scene, usual: number): Promise<void> {
  await page.setViewportSize({ width: width ?? usual, height: 900 });
  if (place !== undefined) await page.goto(deskLink(hub.url, place));
  await ready(page);
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth);
  expect({ name, violations: await findViolations(page) }).toEqual({ name, violations: [] });
  expect({ name, width: scrolls }).toEqual({ name, width: width ?? usual });
}

test("people with disabilities can use every page in the light theme", async () => {
  const { page, shoot } = await lab.openDesk(hub, { theme: "light" });
  for (const scene of [home, health, log, ...wide(), newAgent]) {
    await lookAt(page, scene, 1280);
    await shoot(`light-${scene.name}`);
  }
});

test("people with disabilities can use what waits for them in the light theme, and what was just answered", async () => {
  const id = await askPerson(hub, "ann", { title: "npm test", rawInput: { command: "npm test light" } });
  const { page, shoot } = await lab.openDesk(hub, { place: { page: "needs-you", id }, theme: "light" });
  const card = page.locator(`[data-need="${id}"]`);
  await card.waitFor();
  expect(await findViolations(page)).toEqual([]);
  await shoot("needs-light");

  await card.getByRole("button", { name: "Deny" }).focus();
  await page.keyboard.press("Enter");
  await card.locator(".need__settled").waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test("people with disabilities can use the pages on a phone", async () => {
  const { page, shoot } = await lab.openDesk(hub, { width: 390 });
  for (const scene of [home, health, log, newAgent]) {
    await lookAt(page, scene, 390);
    await shoot(`phone-${scene.name}`);
  }
});

test("people with disabilities can log in, and begin with a hub without agents, in the light theme", async () => {
  const empty = await startHostingHub(yard);
  const stranger = await lab.openDesk(empty, { login: false, theme: "light" });
  await stranger.page.getByText("huddle ui").first().waitFor();
  expect(await findViolations(stranger.page)).toEqual([]);

  const { page, shoot } = await lab.openDesk(empty, { theme: "light" });
  await page.getByRole("heading", { name: "No agents yet" }).waitFor();
  await page.getByText("Journal is on disk").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await shoot("first-start-light");
});
