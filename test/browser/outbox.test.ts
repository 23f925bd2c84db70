import { afterAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard } from "../fakes/hub-process.js";
import { freePort } from "../fakes/hub-sides.js";
import { drainInbox, memberAt } from "../fakes/member.js";
import { composerOf, joinAs } from "./chat-scene.js";

/* The hub goes and comes back while somebody writes. */

const yard = createHubYard();
const lab = createDeskLab();

afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

test("what is sent while the hub is away waits on the page, and arrives once and in order", async () => {
  const hub = await yard.start({ port: await freePort() });
  const reader = await joinAs(hub, "patient");
  const desk = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });
  desk.expectProblem(/ERR_CONNECTION_REFUSED|WebSocket|Failed to load resource|net::ERR/);
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

  const again = await yard.start({ home: hub.home, port: hub.port });

  const sent = page.locator(".message-bubble--human[data-message]");
  await expect.poll(() => sent.count()).toBe(3);
  expect(await unsent.count()).toBe(0);
  expect(await page.evaluate(() => document.body.dataset["gone"])).toBeUndefined();
  const mail = await drainInbox(memberAt(again.http, reader));
  expect(mail.map(({ content }) => content)).toEqual(["before", "first", "third"]);
  const shown = await page.locator(".message-bubble--human .message-bubble__body").allTextContents();
  expect(shown).toEqual(["before", "first", "third"]);
});
