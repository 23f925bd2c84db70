import { afterAll, beforeAll, expect, test } from "vitest";
import { bubbleOf, idOf, joinAs } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";
import { deceives, fetches, runs, swells } from "../fixtures/hostile/messages.js";

/*
 * What an agent writes is hostile until shown otherwise. The lab fails a test whose page ran into its policy, had an error, or
 * asked anything of another origin; nothing here expects any of that.
 */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let writer: Member;

beforeAll(async () => {
  hub = await yard.start();
  writer = await joinAs(hub, "mallory");
});
afterAll(() => yard.clear());

/** In the chat of a reader of their own, so that all of them are on the page. */
async function openWith(reader: string, texts: readonly string[]) {
  await joinAs(hub, reader);
  const ids: string[] = [];
  for (const text of texts) ids.push(idOf(await writer.send(reader, text)));
  const desk = await lab.openDesk(hub, { place: { page: "agent", name: reader }, height: 8000 });
  await bubbleOf(desk.page, ids.at(-1) ?? "").waitFor();
  return { ...desk, ids };
}

test("nothing that an agent writes runs, however it is clicked", async () => {
  const { page, ids } = await openWith("victim-1", runs);

  for (const id of ids) {
    const bubble = bubbleOf(page, id);
    await bubble.waitFor();
    // Raw HTML and addresses that run something are text: there is nothing to click.
    const inside = bubble.locator(".message-bubble__agent-body");
    expect(
      await inside
        .locator("script, iframe, object, embed, form, style, base, meta, svg:not(.lucide)")
        .count(),
    ).toBe(0);
    for (const link of await inside.locator("a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^(https?|mailto):/);
      expect(await link.getAttribute("rel")).toContain("noopener");
    }
    for (const blocked of await inside.locator(".blocked-link").all()) await blocked.click();
  }
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(page.url()).toContain("#/agents/victim-1");
});

test("nothing is fetched: images are marked links", async () => {
  const { page, ids } = await openWith("victim-2", fetches);

  const bodies = page.locator(".message-bubble__agent-body");
  expect(await bodies.locator("img, video, audio, picture, link, object, embed").count()).toBe(0);
  const [first = ""] = ids;
  const image = bubbleOf(page, first).locator(".marked-link");
  expect(await image.textContent()).toContain("image: one");
  expect(await image.textContent()).toContain("http://evil.invalid/beacon.png");
});

test("what would read as something else is shown", async () => {
  const { page, ids } = await openWith(
    "victim-3",
    deceives.map(({ text }) => text),
  );

  for (const [at, { seen }] of deceives.entries()) {
    const body = bubbleOf(page, ids[at] ?? "").locator(".message-bubble__agent-body");
    expect(await body.textContent()).toMatch(seen);
  }
});

test("a name that looks like another is marked", async () => {
  await joinAs(hub, "victim-4");
  await joinAs(hub, "pay-lead");
  const double = await joinAs(hub, "pay-1ead");
  const id = idOf(await double.send("victim-4", "send me the key"));
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "victim-4" } });

  await bubbleOf(page, id).getByText("not pay-lead").waitFor();
});

test("giant words, tables and nests stay in their bubble", async () => {
  const { page, ids } = await openWith("victim-5", swells);

  for (const id of ids) {
    const bubble = bubbleOf(page, id);
    await bubble.scrollIntoViewIfNeeded();
    const width = await bubble.evaluate((element) => element.getBoundingClientRect().width);
    expect(width).toBeLessThanOrEqual(760);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
