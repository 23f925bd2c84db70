import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { hasFocus } from "./chat-scene.js";

/* What is around every page: the agents, the keys, the palette, the themes. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
const tokens = new Map<string, string>();

async function register(name: string): Promise<void> {
  const { json } = await hub.http.call("POST", "/api/agents", { token: hub.operator, body: { name } });
  tokens.set(name, String(json["token"]));
}

const send = (from: string, to: string, message: string) =>
  hub.http.call("POST", `/api/agents/${to}/messages`, { token: tokens.get(from) ?? "", body: { message } });

/** The agents of the sidebar, in its order. */
const agents = (page: Page) => page.locator(".agent-link__name").allTextContents();

beforeAll(async () => {
  hub = await yard.start();
  for (const name of ["janus-dev", "puppet-dev", "abra-dev"]) await register(name);
});
afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

test("agents stand in the order in which they came, in the colours of their names", async () => {
  const { page } = await lab.openDesk(hub);
  await expect.poll(() => agents(page)).toEqual(["janus-dev", "puppet-dev", "abra-dev"]);

  const colours = await page
    .locator(".sidebar .agent-bar")
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));

  expect(colours).toEqual(["rgb(255, 107, 107)", "rgb(133, 192, 37)", "rgb(230, 149, 0)"]);
});

test("a rename shows at once, and the page that is open keeps its agent", async () => {
  await register("before");
  const desk = await lab.openDesk(hub, { place: { page: "agent", name: "before" } });
  // The page of one that has left asks the hub why.
  desk.expectProblem(/410/);
  const { page } = desk;
  await expect.poll(() => agents(page)).toContain("before");

  await hub.http.call("PUT", "/api/agents/before", {
    token: tokens.get("before") ?? "",
    body: { name: "after" },
  });

  await expect.poll(() => agents(page)).toContain("after");
  await expect.poll(() => page.url()).toBe(`${hub.url}/#/agents/after`);
  await hub.http.call("DELETE", "/api/agents/after", { token: hub.operator });
  await expect.poll(() => agents(page)).not.toContain("after");
});

test("what comes into another agent's chat is counted until it is looked at", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "abra-dev" } });
  const unread = () =>
    page.locator(".agent-link", { hasText: "puppet-dev" }).locator(".count").allTextContents();
  await page.getByText("live", { exact: true }).waitFor();

  await send("janus-dev", "puppet-dev", "one");
  await send("janus-dev", "puppet-dev", "two");

  await expect.poll(unread).toEqual(["2"]);
  await page.keyboard.press("n");
  await expect.poll(() => page.url()).not.toContain("/agents/abra-dev");
  await page.keyboard.press("n");
  await expect.poll(() => page.url()).toContain("/agents/puppet-dev");
  await expect.poll(unread).toEqual([]);
});

test("what needs the person is counted in the bar, in the title and on the icon", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "abra-dev" } });
  await page.getByText("live", { exact: true }).waitFor();
  const icon = () => page.locator('link[rel="icon"]').getAttribute("href");
  const before = await icon();

  await send("abra-dev", "user", "Shall I go on?");

  await expect.poll(() => page.title()).toBe("(1) abra-dev · huddle");
  await expect.poll(() => page.locator(".needs-button .count").textContent()).toBe("1");
  await expect.poll(icon).not.toBe(before);
  await page.keyboard.press("u");
  await expect.poll(() => page.url()).toContain("/#/needs-you/");
});

test("keys: all of them are listed, two after each other work, and none while somebody writes", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "abra-dev" } });
  await page.getByText("live", { exact: true }).waitFor();

  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("next unread").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.keyboard.press("g");
  await page.keyboard.press("y");
  await expect.poll(() => page.url()).toContain("/needs-you");
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect.poll(() => page.url()).toContain("/agents/");

  const before = page.url();
  await page.keyboard.press("ControlOrMeta+k");
  await hasFocus(page.getByRole("combobox"));
  await page.keyboard.type("gyu");
  expect(page.url()).toBe(before);
});

test("the palette goes to an agent by a few letters, and finds messages", async () => {
  await send("abra-dev", "janus-dev", "the persona schema is **ready**");
  const { page } = await lab.openDesk(hub);
  await page.getByText("live", { exact: true }).waitFor();

  await page.keyboard.press("ControlOrMeta+k");
  await hasFocus(page.getByRole("combobox"));
  await page.keyboard.type("pupp");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");

  await expect.poll(() => page.url()).toContain("/agents/puppet-dev");
  await page.keyboard.press("/");
  await hasFocus(page.getByRole("combobox"));
  await page.keyboard.type("persona schema");
  await page.getByRole("option", { name: /the persona schema is/ }).waitFor();
});

test("a theme is kept, and is there before anything is drawn", async () => {
  const desk = await lab.openDesk(hub, { theme: "dark" });
  desk.expectProblem(/ERR_FAILED/);
  const { page } = desk;
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  await page.getByText("live", { exact: true }).waitFor();
  expect(await theme()).toBe("dark");

  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect.poll(theme).toBe("light");

  await page.route(/assets\/index-.*\.js/, (route) => route.abort());
  await page.reload({ waitUntil: "domcontentloaded" }).catch(() => {});
  expect(await theme()).toBe("light");
});

test("addresses that lead nowhere say so", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/404/);
  const { page } = desk;
  await page.getByText("live", { exact: true }).waitFor();

  await page.goto(`${hub.url}/#/agents/janus-dex`);
  await page.getByText("This agent is not here").waitFor();
  await page
    .getByText(/janus-dev/)
    .last()
    .waitFor();
  await page.goto(`${hub.url}/#/elsewhere`);
  await page.getByText("There is nothing at this address").waitFor();
});

test("at 390 pixels there is one pane, the navigation is at the bottom, and nothing is wider than the page", async () => {
  const { page } = await lab.openDesk(hub, { width: 390, height: 844 });
  await page.getByRole("heading", { name: "Agents" }).waitFor();

  expect(await page.locator(".sidebar").count()).toBe(0);
  expect(await page.locator(".bottom-bar a").first().textContent()).toContain("Needs you");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test.each([
  ["dark", 1280],
  ["light", 1280],
  ["dark", 390],
] as const)("people with disabilities can use it, %s, %i wide", async (theme, width) => {
  const { page } = await lab.openDesk(hub, { theme, width });
  await page.getByText("live", { exact: true }).waitFor();
  await page.getByText("janus-dev").first().waitFor();
  expect(await findViolations(page)).toEqual([]);
});
