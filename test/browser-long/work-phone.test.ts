import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Crew, joinCrew, memberOf, takeStep } from "../browser/work-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { createWorkflow } from "../fakes/workflow-calls.js";

/* Requests and workflows on a phone. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let crew: Crew;

beforeAll(async () => {
  hub = await yard.start({ set: ["requests.default=1h"] });
  crew = await joinCrew(hub, ["cat", "tax-dev"]);
});
afterAll(() => yard.clear());

const node = (page: Page, step: string) => page.locator(`[data-step="${step}"]`);
const drawer = (page: Page) => page.locator(".step-drawer");
const card = (page: Page, id: string) => page.locator(`[data-request="${id}"]`);

test("the board fits a phone, without barriers", async () => {
  const { json } = await memberOf(crew, "cat").call("POST", "/api/requests", {
    body: { description: "x".repeat(300) },
  });
  const id = String(json["request_id"]);
  const { page, shoot } = await lab.openDesk(hub, { place: { page: "requests" }, width: 390, height: 844 });
  await card(page, id).click();
  await page.locator(".request-panel").getByRole("button", { name: "Nudge everybody" }).waitFor();
  await page.getByRole("button", { name: "Close the request" }).click();
  await shoot("requests-phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findViolations(page)).toEqual([]);
});

test("on a phone a step opens over the page and closes again", async () => {
  const id = await createWorkflow(hub, [{ name: "a", agent: "tax-dev", prompt: "Look." }], { name: "small" });
  await takeStep(hub, crew, id, "a");
  const { page, shoot } = await lab.openDesk(hub, {
    place: { page: "workflows", id },
    width: 390,
    height: 844,
  });

  await node(page, "a").click();
  await drawer(page).getByText("Look.").waitFor();
  expect(await drawer(page).evaluate((element) => element.getBoundingClientRect().width)).toBe(390);
  expect(await findViolations(page)).toEqual([]);
  await shoot("workflow-phone");
  await page.getByRole("button", { name: "Close the step" }).click();
  await page.getByRole("button", { name: "Timeline" }).click();
  await page.getByRole("row", { name: /^a (queued|running)/ }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findViolations(page)).toEqual([]);
});
