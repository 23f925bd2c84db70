import { afterAll, beforeAll, expect, test } from "vitest";
import { composerOf, joinAs } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { freePort } from "../fakes/hub-sides.js";
import { drainInbox, memberAt } from "../fakes/member.js";

/* A hub that goes away and comes back, under a desk that looks at it or writes. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({ port: await freePort() });
  await joinAs(hub, "ann");
});
afterAll(() => yard.clear());

async function startAgain(): Promise<void> {
  hub = await yard.start({ home: hub.home, port: hub.port });
}

const ofHubAway = /ERR_CONNECTION_REFUSED|WebSocket|Failed to load|The hub did not send it|net::ERR/;

test("the page says that it is not live, and has all that happened once the hub is back", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(ofHubAway);
  const { page } = desk;
  const names = () => page.locator(".agent-link__name").allTextContents();
  await page.getByText("live", { exact: true }).waitFor();

  await hub.stop();
  await page.getByText("Reconnecting.", { exact: true }).waitFor();
  await startAgain();
  await joinAs(hub, "bob");
  await page
    .getByRole("button", { name: "Try now" })
    // Gone, if it tried by itself.
    .click({ timeout: 2000 })
    .catch(() => {});

  await page.getByText("live", { exact: true }).waitFor();
  await expect.poll(names).toEqual(["ann", "bob"]);
  await joinAs(hub, "cy");
  await expect.poll(names).toEqual(["ann", "bob", "cy"]);
  expect(await page.getByText("Reconnecting.", { exact: true }).count()).toBe(0);
}, 600_000);

test("a page that is opened while the hub is away says so, leaves the others alone, and comes once the hub is back", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(ofHubAway);
  const { page } = desk;
  await page.getByText("live", { exact: true }).waitFor();
  await hub.stop();

  await page.getByRole("link", { name: "Workflows" }).click();
  await page.getByText("It was not possible to load the workflows").waitFor();
  expect(await page.getByRole("link", { name: "Health" }).isVisible()).toBe(true);
  await startAgain();

  await page.getByText("It was not possible to load the workflows").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /Run a workflow/ }).waitFor();
}, 600_000);

test("what is sent while the hub is away waits on the page, and arrives once and in order", async () => {
  const reader = await joinAs(hub, "patient");
  const desk = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });
  desk.expectProblem(ofHubAway);
  const { page } = desk;
  await composerOf(page).fill("before");
  await composerOf(page).press("Enter");
  // It has its place in the journal.
  await page.locator(".message-bubble--human[data-message]", { hasText: "before" }).waitFor();

  await hub.kill();
  await page.getByRole("button", { name: "Send later" }).waitFor();
  for (const text of ["first", "second", "third"]) {
    await composerOf(page).fill(text);
    await composerOf(page).press("Enter");
  }
  const unsent = page.locator(".message-bubble--unsent");
  await expect.poll(() => unsent.count()).toBe(3);
  expect(await unsent.first().textContent()).toContain("waits on this page");
  await unsent.nth(1).getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => unsent.count()).toBe(2);

  // What stands there stays there while the hub comes back: nothing flickers.
  await page.evaluate(() => {
    new MutationObserver(() => {
      const bubbles = document.querySelectorAll(".message-bubble--human").length;
      if (bubbles < 3) document.body.dataset["gone"] = String(bubbles);
    }).observe(document.body, { subtree: true, childList: true });
  });

  await startAgain();

  const sent = page.locator(".message-bubble--human[data-message]");
  await expect.poll(() => sent.count()).toBe(3);
  await expect.poll(() => unsent.count()).toBe(0);
  expect(await page.evaluate(() => document.body.dataset["gone"])).toBeUndefined();
  const mail = await drainInbox(memberAt(hub.http, reader));
  expect(mail.map(({ content }) => content)).toEqual(["before", "first", "third"]);
  const shown = await page.locator(".message-bubble--human .message-bubble__body").allTextContents();
  expect(shown).toEqual(["before", "first", "third"]);
}, 600_000);

test("a hub with another journal is taken for what it is", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(ofHubAway);
  desk.expectProblem(/401/);
  await desk.page.getByText("live", { exact: true }).waitFor();

  await hub.stop();
  await yard.start({ port: hub.port });

  await desk.page.getByText("huddle ui", { exact: true }).waitFor();
}, 600_000);
