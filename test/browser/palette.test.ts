import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";
import { hasFocus, joinAs, personAt } from "./chat-scene.js";

/* What can be reached and done by a few letters, and the list of all keys. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await yard.start();
  ann = await joinAs(hub, "ann-dev");
  await joinAs(hub, "ben-dev");
  await ann.send("ben-dev", "the schema of the persona is ready");
  await ann.call("POST", "/api/requests", { body: { description: "Somebody review the migration" } });
});
afterAll(() => yard.clear());

async function ask(page: Page, words: string): Promise<void> {
  await page.getByText("live", { exact: true }).waitFor();
  await page.keyboard.press("ControlOrMeta+k");
  await hasFocus(page.getByRole("combobox").last());
  await page.keyboard.type(words);
}

const options = (page: Page) => page.getByRole("option").allTextContents();

test("a page is gone to, a dialog opens on its page, a pair is paused, requests and messages are found, by a few letters", async () => {
  const { page } = await lab.openDesk(hub);
  for (const [words, path] of [
    ["go to log", "/#/log"],
    ["go to health", "/#/health"],
    ["go to requests", "/#/requests"],
  ] as const) {
    await ask(page, words);
    await expect.poll(async () => (await options(page))[0]).toMatch(/^Go to/);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toBe(`${hub.url}${path}`);
  }
  for (const title of ["Run a workflow", "Post a request"]) {
    await ask(page, title.toLowerCase());
    await page.getByRole("option", { name: `${title}…`, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: title }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: title }).waitFor({ state: "hidden" });
  }

  await ask(page, "pause ann ben");
  // It comes in before what was there, and is chosen.
  await page.getByRole("option", { name: /Pause pair ann-dev → ben-dev/, selected: true }).waitFor();
  await page.keyboard.press("Enter");

  await page.getByText("ann-dev → ben-dev is paused").waitFor();
  const { json } = await personAt(hub).call("GET", "/api/pairs");
  expect(json["pairs"]).toMatchObject([{ from: "ann-dev", to: "ben-dev", paused: true }]);

  await ask(page, "migration");
  await page
    .getByRole("option", { name: /Somebody review the migration/ })
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "hidden" });

  await ask(page, "persona schema");
  await page.getByRole("option", { name: /the schema of the persona/ }).waitFor();
  await page.getByRole("option", { name: /Search the log for persona schema/ }).click();
  await expect.poll(() => page.url()).toBe(`${hub.url}/#/log/persona%20schema`);
  await page.locator(".log-row[data-seq]").first().waitFor();
});

test("the list of keys has those of every page, and each of them is what works there", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "health" } });
  await page.getByText("checked", { exact: false }).first().waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("copy report").waitFor();
  const names = await dialog.locator(".key-help__name").allTextContents();
  expect(names).toEqual(
    expect.arrayContaining([
      "Everywhere",
      "Chat",
      "Needs you",
      "Network",
      "Requests",
      "Workflows",
      "Log",
      "Health",
    ]),
  );
  expect(names.filter((name) => name === "Health")).toHaveLength(1);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  const labels = async (name: string) => {
    await page.getByText("live", { exact: true }).waitFor();
    await page.keyboard.press("?");
    const scope = page.locator(".key-help__scope", { has: page.getByRole("heading", { name, exact: true }) });
    await scope.waitFor();
    const found = await scope.locator(".key-help__label").allTextContents();
    await page.keyboard.press("Escape");
    await scope.waitFor({ state: "hidden" });
    return found;
  };
  const logFromElsewhere = await labels("Log");
  await page.goto(`${hub.url}/#/log`);
  await page.locator(".log-row[data-seq]").first().waitFor();
  expect(await labels("Log")).toEqual(
    expect.arrayContaining(["row", "open", "search", "pause tail", "export"]),
  );
  const health = await labels("Health");
  await page.goto(`${hub.url}/#/health`);
  await page.getByText("checked", { exact: false }).first().waitFor();
  expect(await labels("Health")).toEqual(health);
  expect(await labels("Log")).toEqual(logFromElsewhere);
});

test("an agent that leaves keeps its page: what it said and was told, and that it has left", async () => {
  const carl = await joinAs(hub, "carl-dev");
  await carl.send("ben-dev", "my last words");
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "carl-dev" } });
  await page.getByText("my last words").first().waitFor();

  await personAt(hub).call("DELETE", "/api/agents/carl-dev");

  await page.getByText("has left", { exact: true }).waitFor();
  await page.getByText("my last words").first().waitFor();
  await expect.poll(() => page.url()).toBe(`${hub.url}/#/agents/${carl.id}`);
  await page.reload();
  await page.getByText("has left", { exact: true }).waitFor();
  await page.getByRole("heading", { name: /carl-dev/ }).waitFor();
  await page.getByText("my last words").first().waitFor();
});
