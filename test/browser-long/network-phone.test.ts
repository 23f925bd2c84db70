import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idOf, joinAs } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";

/* Who talks to whom, how fast, and what is held back: looked at and decided upon at the desk of a real hub. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start({
    paced: true,
    // Nobody is slowed down, so that no test depends on how fast it is.
    set: ["conversation.hops=6", 'cooldown.delays=["0s"]', "presence.offline_after=10m"],
  });
});
afterAll(() => yard.clear());

const place = { page: "network" } as const;
const rowOf = (page: Page, from: string, to: string) => page.locator(`tr[data-pair="${from} ${to}"]`);
const _edgeOf = (page: Page, from: string, to: string) => page.locator(`[data-edge="${from} ${to}"]`);
const isChosen = async (page: Page, from: string, to: string) =>
  (await rowOf(page, from, to).getByRole("button").getAttribute("aria-pressed")) === "true";

/** By `j` alone, as somebody without a pointer does it. */
async function goTo(page: Page, from: string, to: string): Promise<void> {
  await rowOf(page, from, to).waitFor();
  for (let presses = 0; presses < 60 && !(await isChosen(page, from, to)); presses++)
    await page.keyboard.press("j");
  expect(await isChosen(page, from, to)).toBe(true);
}

async function send(from: Member, to: string, message: string, fields = {}): Promise<string> {
  return idOf(await from.send(to, message, fields));
}

/** Two agents, of whom the first has written to the other. */
async function pairUp(from: string, to: string): Promise<void> {
  const sender = await joinAs(hub, from);
  await joinAs(hub, to);
  await send(sender, to, "hello");
}

async function stateOf(sender: Member, message: string): Promise<unknown> {
  const { json } = await sender.receipt(message);
  const [delivery] = json["deliveries"] as { state: string; reason: string | null }[];
  return { state: delivery?.state, reason: delivery?.reason };
}

test("a cooldown is shown with its level, and resetting it lets go what it held", async () => {
  const slow = await yard.start({
    paced: true,
    set: ["cooldown.quick=10m", "cooldown.reset=20m", 'cooldown.delays=["10m"]'],
  });
  const [rae, sam] = [await joinAs(slow, "rae"), await joinAs(slow, "sam")];
  await send(rae, "sam", "one");
  const held = await send(rae, "sam", "two");
  expect(await stateOf(rae, held)).toEqual({ state: "held", reason: "cooldown" });
  const { page } = await lab.openDesk(slow, { place });
  await rowOf(page, "rae", "sam").getByText("1 cooldown").waitFor();
  await rowOf(page, "rae", "sam").getByRole("img", { name: "Cooldown level 1 of 5" }).waitFor();

  await goTo(page, "rae", "sam");
  await page.keyboard.press("b");

  await rowOf(page, "rae", "sam").getByRole("img", { name: "Cooldown level 0 of 5" }).waitFor();
  await rowOf(page, "rae", "sam").getByText("1 cooldown").waitFor({ state: "detached" });
  expect((await sam.inbox()).map(({ content }) => content)).toEqual(["one", "two"]);
});

test("on a phone a pair is paused by a press, and the graph is one press away", async () => {
  await pairUp("pho", "ned");
  const { page, shoot } = await lab.openDesk(hub, { place, width: 390, height: 844 });
  const card = page.locator('li[data-pair="pho ned"]');
  await card.getByRole("button").click();
  const chosen = page.getByRole("region", { name: "pho to ned" });
  await chosen.getByRole("button", { name: "Pause pair" }).click();
  await card.getByText("paused").waitFor();
  await shoot("network-phone");
  await chosen.getByRole("button", { name: "Resume pair" }).click();
  await card.getByText("paused").waitFor({ state: "detached" });

  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await page.getByRole("button", { name: "Graph" }).click();
  await page.locator(".graph-node").first().waitFor();
  expect(await findViolations(page)).toEqual([]);
});
