import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deskLink } from "../../src/model/desk-link.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import type { Member } from "../fakes/member.js";
import { idOf, joinAs, personAt } from "./chat-scene.js";

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
const edgeOf = (page: Page, from: string, to: string) => page.locator(`[data-edge="${from} ${to}"]`);
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

test("a ring forms, is held, is looked at, and is let go on", async () => {
  const ring = [await joinAs(hub, "cart-dev"), await joinAs(hub, "reviewer"), await joinAs(hub, "db-dev")];
  const { page, shoot } = await lab.openDesk(hub, { place, width: 1440, height: 860 });
  await page.getByRole("heading", { name: "Nobody wrote to anybody" }).waitFor();
  let last = await personAt(hub).send("cart-dev", "Where does the rounding belong?");
  const goOn = async (turn: number) => {
    const [from, to] = [ring[turn % 3], ring[(turn + 1) % 3]];
    if (from === undefined || to === undefined) throw new Error("a ring of three");
    const mail = await from.inbox();
    await from.ack(mail.map(({ id }) => id));
    last = await send(from, to.name, words[turn % 3] ?? "", { reply_to: last });
    return from;
  };
  for (let turn = 0; turn < 5; turn++) await goOn(turn);
  await page
    .locator(".ring-label")
    .getByText(/^ring · 5 of 6 hops$/)
    .waitFor();
  await shoot("ring-1");

  for (let turn = 5; turn < 7; turn++) {
    const sender = await goOn(turn);
    if (turn === 6) expect(await stateOf(sender, last)).toEqual({ state: "held", reason: "budget" });
  }
  await page.locator(".ring-label").getByText("ring paused · 1 held").waitFor();
  const held = page.locator(`[data-held="${last}"]`);
  await held.getByText("until you say").waitFor();
  await shoot("ring-2");

  const talk = page.locator("[data-conversation]", { hasText: "paused, 1 held" });
  await talk.getByRole("button").click();
  const card = page.getByRole("region", { name: "Conversation" });
  await card.getByText("1 message waits until you say").waitFor();
  await page.keyboard.press("Enter");
  const thread = page.getByRole("complementary", { name: "Thread" });
  await thread.getByText("Where does the rounding belong?").first().waitFor();
  await shoot("ring-3");
  await page.keyboard.press("Escape");
  await thread.waitFor({ state: "detached" });

  await card.getByRole("button", { name: "Continue conversation" }).click();
  await held.waitFor({ state: "detached" });
  await page.locator(".ring-label").waitFor({ state: "detached" });
  expect((await ring[1]?.inbox())?.map(({ id }) => id)).toContain(last);
  await shoot("ring-4");
});

const words = [
  "Rounding moved to @shop/money, 4 files. Does the table need a column?",
  "Only if totals are stored. Are they?",
  "Either works. Which do you prefer?",
];

test("pairs appear with their first message, in the table and in the graph, and rows stay where they are", async () => {
  const { page } = await lab.openDesk(hub, { place });
  await page.locator(".figure").first().waitFor();
  const [zoe, ann] = [await joinAs(hub, "zoe"), await joinAs(hub, "ann")];

  await send(zoe, "ann", "first");
  await rowOf(page, "zoe", "ann").waitFor();
  await edgeOf(page, "zoe", "ann").waitFor({ state: "attached" });
  const node = page.locator(".graph-node", { hasText: "zoe" });
  // Within the graph: that may be shown smaller when there is more of it.
  const placeOf = () =>
    node.evaluate((element) => getComputedStyle(element).translate + element.getAttribute("style"));
  const before = await placeOf();
  await send(ann, "zoe", "second");
  await send(ann, "user", "third");
  await rowOf(page, "ann", "user").waitFor();

  const rows = await page
    .locator("tr[data-pair]")
    .evaluateAll((all) => all.map((row) => row.getAttribute("data-pair")));
  // By name it would be the last of the three.
  expect(rows.at(-3)).toBe("zoe ann");
  expect(new Set(rows.slice(-2))).toEqual(new Set(["ann zoe", "ann user"]));
  await expect.poll(() => rowOf(page, "zoe", "ann").textContent()).toContain("1/10");
  expect(await placeOf()).toEqual(before);
  await page.locator(".page-link", { hasText: "Network" }).getByText("/min").waitFor();
});

test("a pair is paused by a key, what it sends waits and both sides see it, and a key lets it go on", async () => {
  const [pia, quin] = [await joinAs(hub, "pia"), await joinAs(hub, "quin")];
  await send(pia, "quin", "before");
  const { page } = await lab.openDesk(hub, { place });
  await goTo(page, "pia", "quin");

  await page.keyboard.press("p");
  await rowOf(page, "pia", "quin").getByText("paused").waitFor();
  const held = await send(pia, "quin", "is anybody there?");

  expect(await stateOf(pia, held)).toEqual({ state: "held", reason: "paused" });
  await rowOf(page, "pia", "quin").getByText("1 paused").waitFor();
  const line = page.locator(`[data-held="${held}"]`);
  await line.getByText("is anybody there?").waitFor();
  await line.getByText("until you resume").waitFor();
  await page
    .getByRole("region", { name: "pia to quin" })
    .getByText("is held until you resume the pair")
    .waitFor();
  expect((await quin.inbox()).map(({ content }) => content)).toEqual(["before"]);

  await page.keyboard.press("p");
  await line.waitFor({ state: "detached" });
  expect((await quin.inbox()).map(({ content }) => content)).toContain("is anybody there?");
  expect(await stateOf(pia, held)).not.toMatchObject({ state: "held" });
});

test("table and graph show the same choice, without barriers, and v shows one or both of them; a conversation is frozen by a key, and continued by it", async () => {
  await pairUp("tom", "uma");
  await pairUp("xan", "yve");
  const { page } = await lab.openDesk(hub, { place });
  await rowOf(page, "tom", "uma").waitFor();

  await goTo(page, "tom", "uma");
  expect(await findViolations(page)).toEqual([]);
  await rowOf(page, "xan", "yve").click();
  await edgeOf(page, "tom", "uma").dispatchEvent("click");
  await expect.poll(() => isChosen(page, "tom", "uma")).toBe(true);
  await page.getByRole("region", { name: "tom to uma" }).waitFor();
  await rowOf(page, "xan", "yve").click();
  await expect.poll(() => edgeOf(page, "xan", "yve").getAttribute("class")).toContain("edge--selected");
  expect(await edgeOf(page, "tom", "uma").getAttribute("class")).not.toContain("edge--selected");

  await page.keyboard.press("v");
  await page.locator(".graph").waitFor({ state: "detached" });
  await page.keyboard.press("v");
  await page.locator(".graph").waitFor();
  expect(await page.locator("table.pairs").count()).toBe(0);

  const [val, wes] = [await joinAs(hub, "val"), await joinAs(hub, "wes")];
  const first = await send(val, "wes", "shall we?");
  await wes.inbox();
  const second = await send(wes, "val", "we shall", { reply_to: first });
  await page.goto(deskLink(hub.url, { ...place, id: first }));
  await page.getByRole("region", { name: "Conversation" }).getByText("we shall").waitFor();

  await page.keyboard.press("f");
  await page.getByText("You ended it: agents cannot write in it.").waitFor();
  await val.inbox();
  const refused = await val.send("wes", "go on", { reply_to: second });
  expect(refused).toMatchObject({ status: 409, json: { code: "CONVERSATION_FROZEN" } });

  await page.keyboard.press("f");
  await page.getByText("You ended it: agents cannot write in it.").waitFor({ state: "detached" });
  expect(await val.send("wes", "go on", { reply_to: second })).toMatchObject({ status: 202 });
});
