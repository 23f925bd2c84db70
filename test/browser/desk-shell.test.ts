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
afterAll(() => yard.clear());

test("agents stand in the order in which they came, in the colours of their names, without barriers", async () => {
  const { page } = await lab.openDesk(hub);
  await expect.poll(() => agents(page)).toEqual(["janus-dev", "puppet-dev", "abra-dev"]);

  const colours = await page
    .locator(".sidebar .agent-bar")
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).backgroundColor));

  expect(colours).toEqual(["rgb(255, 107, 107)", "rgb(133, 192, 37)", "rgb(230, 149, 0)"]);
  await page.getByText("live", { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
});

test("a rename shows at once, and the page that is open keeps its agent", async () => {
  await register("before");
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "before" } });
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

test("what needs the person is counted in the bar, in the title and on the icon; what comes into another's chat, until it is looked at", async () => {
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

  await page.goto(`${hub.url}/#/agents/abra-dev`);
  const unread = () =>
    page.locator(".agent-link", { hasText: "puppet-dev" }).locator(".count").allTextContents();

  await send("janus-dev", "puppet-dev", "one");
  await send("janus-dev", "puppet-dev", "two");

  await expect.poll(unread).toEqual(["2"]);
  await page.keyboard.press("n");
  await expect.poll(() => page.url()).not.toContain("/agents/abra-dev");
  await page.keyboard.press("n");
  await expect.poll(() => page.url()).toContain("/agents/puppet-dev");
  await expect.poll(unread).toEqual([]);
});

test("keys are listed, two after each other work, and none while somebody writes; the palette goes to an agent by a few letters, and finds messages", async () => {
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

  await send("abra-dev", "janus-dev", "the persona schema is **ready**");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox").waitFor({ state: "hidden" });

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

test("addresses that lead nowhere say so; a theme is kept, and is there before anything is drawn", async () => {
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

  desk.expectProblem(/ERR_FAILED/);
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  expect(await theme()).toBe("dark");

  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  await expect.poll(theme).toBe("light");

  await page.route(/assets\/index-.*\.js/, (route) => route.abort());
  await page.reload({ waitUntil: "domcontentloaded" }).catch(() => {});
  expect(await theme()).toBe("light");
});
