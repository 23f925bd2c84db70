import { afterAll, beforeAll, expect, test } from "vitest";
import { bubbleOf, distanceFromEnd, idOf, joinAs, personAt } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";

/* Histories that nobody reads whole, and readers who are somewhere in them. */

const yard = createHubYard();
const lab = createDeskLab();

afterAll(() => yard.clear());

/** Many pages of a history; what 100,000 cost is measured (`npm run bench`, desk-open). */
const MANY = 500;
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ set: [`inbox.cap=${2 * MANY}`] });
});

test("a long chat opens at its end, and older messages come without a jump", async () => {
  const reader = await joinAs(hub, "reader");
  const writer = await joinAs(hub, "writer");
  for (let sent = 0; sent < MANY; sent += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => writer.send(reader.name, `message ${sent + at}`)),
    );
  const newest = await personAt(hub).send(reader.name, "the newest of all");
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });

  await bubbleOf(page, newest).waitFor();
  await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);
  // Only what is near the window is on the page.
  expect(await page.locator(".reading-column__row").count()).toBeLessThan(60);

  const column = page.locator(".reading-column");
  await column.evaluate((element) => element.scrollTo(0, 700));
  await expect.poll(firstSeen).not.toBe("");
  const before = await firstSeen();
  await column.evaluate((element) => element.scrollTo(0, 500));
  await expect.poll(() => column.evaluate((element) => element.scrollTop)).toBeGreaterThan(1500);
  // What stood in the window still does.
  await expect.poll(() => page.locator(`[data-row="${before}"]`).count()).toBe(1);
  const offset = await page
    .locator(`[data-row="${before}"]`)
    .evaluate((row) => row.getBoundingClientRect().top);
  expect(Math.abs(offset)).toBeLessThan(800);

  function firstSeen(): Promise<string> {
    return page.locator(".reading-column").evaluate((element) => {
      const top = element.getBoundingClientRect().top;
      const rows = [...element.querySelectorAll("[data-row]")];
      return rows.find((row) => row.getBoundingClientRect().top >= top)?.getAttribute("data-row") ?? "";
    });
  }
});

test("at the end the chat follows; further up it stays, and counts what is new", async () => {
  const reader = await joinAs(hub, "follower");
  const writer = await joinAs(hub, "teller");
  for (let count = 0; count < 40; count++) await writer.send(reader.name, `line ${count}`);
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });
  await page.getByText("line 39").waitFor();

  const followed = idOf(await writer.send(reader.name, "this one is followed"));
  await bubbleOf(page, followed).waitFor();
  await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);

  await page.locator(".reading-column").evaluate((element) => element.scrollBy(0, -600));
  await expect.poll(() => distanceFromEnd(page)).toBeGreaterThan(48);
  const place = await page.locator(".reading-column").evaluate((element) => element.scrollTop);
  for (let count = 0; count < 3; count++) await writer.send(reader.name, `missed ${count}`);
  await page.getByRole("button", { name: "3 new" }).waitFor();
  expect(await page.locator(".reading-column").evaluate((element) => element.scrollTop)).toBe(place);

  await page.getByRole("button", { name: "3 new" }).click();
  await page.getByText("missed 2").waitFor();
  await expect.poll(() => distanceFromEnd(page)).toBeLessThan(2);
  expect(await page.getByRole("button", { name: /new$/ }).count()).toBe(0);
});
