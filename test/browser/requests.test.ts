import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Crew, joinCrew, memberOf } from "./work-scene.js";

/* Calls for help at the desk of a real hub: posted, claimed, answered and nudged, by agents and by the person. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let crew: Crew;

beforeAll(async () => {
  // A busy machine may take longer for a test than a request waits otherwise.
  hub = await startHostingHub(yard, { set: ["requests.default=1h"] });
  crew = await joinCrew(hub, ["ann", "ben", "cat"]);
});
afterAll(() => yard.clear());

const card = (page: Page, id: string) => page.locator(`[data-request="${id}"]`);
const column = (page: Page, name: string) => page.getByRole("region", { name: new RegExp(`^${name} \\d`) });
const panel = (page: Page) => page.locator(".request-panel");

async function post(who: string, description: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json, text } = await memberOf(crew, who).call("POST", "/api/requests", {
    body: { description, ...more },
  });
  if (status !== 201) throw new Error(`not posted: ${status} ${text}`);
  return String(json["request_id"]);
}

const act = (who: string, id: string, what: string, body?: unknown) =>
  memberOf(crew, who).call("POST", `/api/requests/${id}/${what}`, body === undefined ? {} : { body });

test("a request goes over the board as agents claim and answer it, and the sidebar counts the open ones", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "requests" } });
  await page.getByText("No open requests").waitFor();
  const id = await post("ann", "Why does `applyCoupon` clone the line?\nIt is slow.");

  await column(page, "Open").getByText("applyCoupon").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Requests 1 open" }).waitFor();
  await card(page, id).getByText("anybody").waitFor();
  await act("ben", id, "claim");
  await column(page, "Claimed").locator(`[data-request="${id}"]`).getByText("claimed after").waitFor();
  await act("ben", id, "answer", { message: "So that the cart can be undone." });

  await column(page, "Answered").getByText("“So that the cart can be undone.”").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Requests", exact: true }).waitFor();
  expect(await column(page, "Open").locator("[data-request]").count()).toBe(0);
});

test("the person posts one by keys, and reads the answer", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "requests" } });
  await page.getByRole("heading", { name: "Requests" }).waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Post a request" });
  await dialog.getByText("All 3 agents are asked").waitFor();
  await page.keyboard.type("Run the refund preview");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Dry run only.");
  await page.keyboard.press("Control+Enter");

  await dialog.waitFor({ state: "detached" });
  const mine = column(page, "Open").locator("[data-request]").filter({ hasText: "Run the refund preview" });
  await mine.getByText("you", { exact: true }).waitFor();
  const id = (await mine.getAttribute("data-request")) ?? "";
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/requests/${id}`);
  expect((await memberOf(crew, "cat").inbox()).at(-1)).toMatchObject({ content: "Run the refund preview" });
  await act("cat", id, "answer", { message: "0.01 × 1,204 = 12.04" });

  await mine.waitFor({ state: "detached" });
  await card(page, id).click();
  await panel(page).getByText("0.01 × 1,204 = 12.04").waitFor();
  // One's own is neither claimed nor answered by oneself.
  expect(
    await panel(page)
      .getByRole("button", { name: /Claim it|Answer/ })
      .count(),
  ).toBe(0);
});

test("the person nudges everybody, claims and answers, by keys alone", async () => {
  const id = await post("ann", "Which tests cover totals?");
  await memberOf(crew, "ben").inbox();
  const { page } = await lab.openDesk(hub, { place: { page: "requests" } });
  await card(page, id).waitFor();

  await page.keyboard.press("j");
  await expect.poll(() => card(page, id).getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("m");
  await card(page, id).getByText("nudged once").waitFor();
  expect((await memberOf(crew, "ben").inbox()).map(({ content }) => content)).toContain(
    "Which tests cover totals?",
  );
  await page.keyboard.press("Enter");
  await panel(page).getByRole("button", { name: "Claim it" }).waitFor();
  await page.keyboard.press("t");
  await column(page, "Claimed").locator(`[data-request="${id}"]`).waitFor();
  await page.keyboard.press("a");
  await page.keyboard.type("cart.test.ts, all of them.");
  await page.keyboard.press("Control+Enter");

  await column(page, "Answered").locator(`[data-request="${id}"]`).waitFor();
  expect((await memberOf(crew, "ann").inbox()).at(-1)).toMatchObject({
    from: "user",
    content: "cart.test.ts, all of them.",
  });
});

test("what is typed right after the key belongs to the answer, which goes while a claim is under way; what an agent writes is shown and does nothing", async () => {
  const id = await post("ann", "Which tests cover taxes?");
  const { page } = await lab.openDesk(hub, { place: { page: "requests", id } });
  await panel(page).getByRole("button", { name: "Claim it" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/claim", async (route) => {
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  await page.keyboard.press("t");
  await column(page, "Claimed").locator(`[data-request="${id}"]`).waitFor();

  // As on a machine that is too busy to draw.
  const draw = await page.evaluateHandle(() => {
    const before = window.requestAnimationFrame;
    window.requestAnimationFrame = () => 0;
    return before;
  });
  await page.keyboard.press("a");
  await page.keyboard.type("cart.test.ts");
  await page.keyboard.press("Control+Enter");
  await page.evaluate((before) => {
    window.requestAnimationFrame = before;
  }, draw);

  await column(page, "Answered").locator(`[data-request="${id}"]`).waitFor();
  answer();
  expect((await memberOf(crew, "ann").inbox()).at(-1)).toMatchObject({ content: "cart.test.ts" });
  await page.unrouteAll({ behavior: "wait" });

  const nasty = await post("ann", "<img src=x onerror=alert(1)> `code` \u202eesrever\u202c");
  await page.goto(`${hub.url}/#/requests`);

  await card(page, nasty).getByText("<img src=x onerror=alert(1)>").waitFor();
  expect(await card(page, nasty).locator("img").count()).toBe(0);
  expect(await card(page, nasty).locator(".escape").count()).toBeGreaterThan(0);
});

test("what was open again says so, what expired is shown on demand, and a link finds what is on no board", async () => {
  const soon = await post("ann", "Anybody?", { timeout_seconds: 0.3 });
  const left = await post("ann", "Who knows the tax table?");
  const gone = await joinCrew(hub, ["dan"]);
  await gone["dan"]?.call("POST", `/api/requests/${left}/claim`);
  const { page } = await lab.openDesk(hub, { place: { page: "requests" } });
  await column(page, "Claimed").locator(`[data-request="${left}"]`).waitFor();
  await hub.http.call("DELETE", "/api/agents/dan", { token: hub.operator });
  await column(page, "Open").locator(`[data-request="${left}"]`).waitFor();
  await act("ben", left, "claim");
  await card(page, left)
    .getByText(/was open again at .*, dan left/)
    .waitFor();

  await page.getByRole("button", { name: "Expired 1" }).waitFor();
  expect(await card(page, soon).count()).toBe(0);
  await page.keyboard.press("x");
  await column(page, "Expired").getByText("nobody claimed it in time").waitFor();
  await page.keyboard.press("x");
  await page.goto(`${hub.url}/#/requests/${soon}`);
  await panel(page).getByText("Anybody?").waitFor();
});

test("below it stands who is on what and who owes what, and the person can release work", async () => {
  await memberOf(crew, "cat").call("POST", "/api/claims", {
    body: { task: "rounding in totals.ts", action: "claim", lease_seconds: 900 },
  });
  await memberOf(crew, "ann").send("ben", "Do renewals go through capture?");
  await memberOf(crew, "ben").inbox();
  const { page } = await lab.openDesk(hub, { place: { page: "requests" } });
  const owed = page.getByRole("region", { name: /^Owed/ });
  const claims = page.getByRole("region", { name: /^Work claims/ });
  await owed.getByRole("row", { name: /ben .*ann question Do renewals go through capture\?/ }).waitFor();
  await claims.getByText("rounding in totals.ts").waitFor();
  await claims.getByText(/1[45] min left/).waitFor();

  await memberOf(crew, "ann").call("POST", "/api/claims", { body: { task: "the docs", action: "claim" } });
  // The question whether to release it names it, too.
  const claim = claims.getByRole("listitem").filter({ hasText: "the docs" });
  await claim.waitFor();
  await claims.getByRole("button", { name: "Release “the docs”" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();

  await claim.waitFor({ state: "detached" });
  const { json } = await hub.http.call("GET", "/api/claims", { token: hub.operator });
  expect((json["claims"] as { task: string }[]).map(({ task }) => task)).toEqual(["rounding in totals.ts"]);
});
