import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deskLink } from "../../src/model/desk-link.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";
import { idOf, joinAs, personAt } from "./chat-scene.js";

/* Every message of the hub: looked for, followed, opened, exported. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let ann: Member;
let ben: Member;

beforeAll(async () => {
  hub = await yard.start();
  ann = await joinAs(hub, "ann-dev");
  ben = await joinAs(hub, "ben-dev");
  // The person is not slowed down.
  for (let i = 0; i < 240; i++) await personAt(hub).send("ann-dev", `ledger line ${i} of the books`);
  await ann.send("ben-dev", `${"words ".repeat(30)}the rounding is wrong`);
  await ben.send("ann-dev", "Which rounding do you mean?", { type: "response" });
});
afterAll(() => yard.clear());

const place = { page: "log" } as const;
const field = (page: Page) => page.getByRole("combobox", { name: "Search the log" });
const texts = (page: Page) => page.locator(".log-row__text").allTextContents();
const rowsOf = (page: Page) => page.locator(".log-row[data-seq]");

test("filters become chips, narrow the rows and stay in the address; what does not exist is refused; new messages come in at the top, or are counted", async () => {
  const { page } = await lab.openDesk(hub, { place });
  await rowsOf(page).first().waitFor();

  await page.keyboard.press("/");
  await page.keyboard.type("fr");
  await page.getByRole("option", { name: "from:" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("ben");
  await page.getByRole("option", { name: /ben-dev/ }).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Remove from:ben-dev" }).waitFor();
  await page.keyboard.type("round*");

  await expect.poll(() => texts(page)).toEqual(["Which rounding do you mean?"]);
  await expect.poll(() => page.locator(".hit").allTextContents()).toEqual(["round"]);
  await expect.poll(() => page.url()).toBe(`${hub.url}/#/log/${encodeURIComponent("from:ben-dev round*")}`);
  await expect.poll(() => page.locator(".log-field__count").textContent()).toMatch(/^1 of 24\d$/);

  // With nothing before it, Backspace gives a filter back to be changed.
  await field(page).fill("");
  await page.keyboard.press("Backspace");
  await expect.poll(() => field(page).inputValue()).toBe("from:ben-dev");

  await page.goto(`${hub.url}/#/log`);
  await rowsOf(page).first().waitFor();
  await field(page).fill("type:mesage ");
  await page.getByRole("alert").getByText("did you mean message?").waitFor();
  expect(await rowsOf(page).count()).toBeGreaterThan(5);

  await field(page).fill("");
  await field(page).blur();
  await page.getByText("following, newest first").waitFor();
  await personAt(hub).send("ben-dev", "tail one");
  await expect.poll(async () => (await texts(page))[0]).toBe("tail one");

  await page.keyboard.press("Space");
  await page.getByText("paused").waitFor();
  await personAt(hub).send("ben-dev", "tail two");
  await personAt(hub).send("ben-dev", "tail three");

  await page.getByRole("button", { name: "2 new" }).waitFor();
  expect((await texts(page))[0]).toBe("tail one");
  await page.getByRole("button", { name: "2 new" }).click();
  await expect
    .poll(async () => (await texts(page)).slice(0, 3))
    .toEqual(["tail three", "tail two", "tail one"]);
});

test("a link opens with its query; the way of a message stands beside it, grows while somebody looks, and leads to the chat", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "log", id: "from:ann-dev rounding" } });
  await expect.poll(() => texts(page)).toHaveLength(1);
  const [text = ""] = await texts(page);
  expect(text).toMatch(/^… /);
  expect(text.indexOf("rounding")).toBeLessThanOrEqual(26);

  const id = idOf(await ann.send("ben-dev", "show me the way"));
  await page.locator(".log-row__open").first().click();
  await page.getByText("Way of the message").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.goto(deskLink(hub.url, { page: "log", id: '"show me the way"' }));
  await expect.poll(() => texts(page)).toEqual(["show me the way"]);
  const steps = () => page.locator(".log-details .ladder__state").allTextContents();

  await page.keyboard.press("j");
  await expect.poll(async () => (await steps())[0]).toBe("accepted");
  await ben.inbox();
  await ben.ack([id]);

  await expect.poll(async () => (await steps()).at(-1)).toBe("seen");
  await expect.poll(() => page.locator(".log-row__state").first().textContent()).toContain("seen");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toBe(`${hub.url}/#/messages/${id}`);
});

test("far rows are fetched when somebody jumps there; an export has what the filter finds, oldest first, as JSONL and as Markdown", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "log", id: "ledger" } });
  await rowsOf(page).first().waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Log" }).getAttribute("aria-rowcount")).toBe("241");
  expect(await rowsOf(page).count()).toBeLessThan(100);

  await page.keyboard.press("End");

  await page.getByText("ledger line 0 of the books").waitFor();
  await page.keyboard.press("Home");
  await page.getByText("ledger line 239 of the books").waitFor();

  await page.goto(deskLink(hub.url, { page: "log", id: "ledger to:ann-dev" }));
  await rowsOf(page).first().waitFor();
  for (const format of ["jsonl", "md"] as const) {
    await page.keyboard.press("E");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: format === "md" ? "Markdown" : /^JSONL/ }).click(),
    ]);

    expect(download.suggestedFilename()).toBe(`huddle-log.${format}`);
    const text = readFileSync(await download.path(), "utf8");
    const numbers = [...text.matchAll(/ledger line (\d+) of/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 240 }, (_, i) => i));
    if (format === "jsonl")
      expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ to: "ann-dev", from: "user" });
  }
});
