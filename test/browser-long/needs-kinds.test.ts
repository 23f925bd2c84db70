import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askPerson } from "../fakes/asking-agents.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";

/* What waits for the person besides permissions and questions, and what the browser tells of it. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: ["conversation.hops=2", "hosting.stalled_after=1s"] });
});
afterAll(() => yard.clear());

const place = { page: "needs-you" } as const;
const card = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]:not(.need--settled)`);
const operator = () => ({ token: hub.operator });

test("a conversation that is paused says who and how far, and goes on when the person lets it", async () => {
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  await ann.send("ben", "charged_total or total_charged?");
  for (const [from, to, text] of [
    [ben, "ann", "Either."],
    [ann, "ben", "Which?"],
    [ben, "ann", "You choose."],
  ] as const) {
    await from.inbox();
    await from.send(to, text);
  }
  const { page } = await lab.openDesk(hub, { place });
  const paused = card(page, "budget");

  await paused.getByText("ben and ann answer each other").waitFor();
  await paused.getByText("2 of 2 hops").waitFor();
  await paused.getByText("“charged_total or total_charged?”").waitFor();
  await paused.getByRole("button", { name: "Continue, 2 more" }).press("Enter");

  await paused.waitFor({ state: "detached" });
  expect((await ann.inbox()).map(({ content }) => content)).toContain("You choose.");
});

test("a step of a workflow shows its whole prompt, and is approved or rejected", async () => {
  const prompt = `Deploy it.\n${"x".repeat(3000)}\nThen tell everybody.`;
  await hub.http.call("POST", "/api/agents/spawn", {
    ...operator(),
    body: { name: "worker", backend: "scripted", project: hub.home },
  });
  const steps = [{ name: "deploy", agent: "worker", prompt, approve: true }];
  const made = await hub.http.call("POST", "/api/workflows", {
    ...operator(),
    body: { name: "preview", steps },
  });
  const { page } = await lab.openDesk(hub, { place });
  const asks = card(page, "approval");

  await asks.getByText("preview").first().waitFor();
  expect(await asks.locator(".exact").first().textContent()).toBe(prompt);
  await asks.getByRole("button", { name: "Reject" }).click();

  await eventually(async () => {
    const shown = await hub.http.call(
      "GET",
      `/api/workflows/${String(made.json["workflow_id"])}`,
      operator(),
    );
    return shown.json["status"] === "failed" ? true : undefined;
  }, "the step failed");
});

test("a message that came back is sent to another agent, whole", async () => {
  await registerAgent(hub.http, hub.join, { name: "gone" });
  const other = await registerAgent(hub.http, hub.join, { name: "other" });
  const words = `Do renewals go through capture()? ${"y".repeat(2000)}`;
  await hub.http.call("POST", "/api/agents/gone/messages", { ...operator(), body: { message: words } });
  await hub.http.call("DELETE", "/api/agents/gone", operator());
  const { page } = await lab.openDesk(hub, { place });
  const bounced = card(page, "bounce").filter({ hasText: "wrote to gone" });

  await bounced.getByRole("button", { name: "Send to another agent…" }).click();
  await bounced.getByRole("combobox", { name: "To whom" }).selectOption("other");

  await bounced.waitFor({ state: "detached" });
  expect((await other.inbox()).map(({ content }) => content)).toContain(words);
});

test("an agent that says nothing is shown with its last sign, and ended after a second look", async () => {
  await hub.http.call("POST", "/api/agents/spawn", {
    ...operator(),
    body: { name: "silent", backend: "scripted", project: hub.home, message: "!say begun !hang" },
  });
  const { page, shoot } = await lab.openDesk(hub, { place });
  const stalled = card(page, "stalled").filter({ hasText: "silent" });
  await stalled.getByText("Last sign").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await shoot("needs-kinds");

  await stalled.getByRole("button", { name: "Kill", exact: true }).click();
  await stalled.getByText("Its processes end at once").waitFor();
  await stalled.getByRole("button", { name: "Kill silent" }).click();

  await eventually(async () => {
    const { status } = await hub.http.call("GET", "/api/agents/silent", operator());
    return status === 410 ? true : undefined;
  }, "it is gone");
});

test("a click that was meant for what stood there before does nothing", async () => {
  const { page } = await lab.openDesk(hub, { place });
  const first = await askPerson(hub, "early", { title: "npm test", rawInput: { command: "npm test" } });
  const button = page.locator(`[data-need="${first}"]`).getByRole("button", { name: "Allow once" });
  await button.waitFor();
  // The very moment in which a card comes: a press of the mouse, not of a key.
  await page.evaluate((id) => {
    Object.assign(window, {
      pressed: new Promise<void>((done) => {
        const press = () =>
          document
            .querySelector(`[data-need="${id}"] [data-act-key="o"]`)
            ?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
        const before = document.querySelectorAll("[data-need]").length;
        const watch = new MutationObserver(() => {
          if (document.querySelectorAll("[data-need]").length === before) return;
          watch.disconnect();
          press();
          done();
        });
        watch.observe(document.body, { childList: true, subtree: true });
      }),
    });
  }, first);
  await askPerson(hub, "late", { title: "npm run x", rawInput: { command: "npm run x" } });
  await page.evaluate(() => (window as unknown as { pressed: Promise<void> }).pressed);

  const { json } = await hub.http.call("GET", "/api/permissions", operator());
  expect((json["permissions"] as { id: string }[]).map(({ id }) => id)).toContain(first);
});

test("the browser is asked for notifications only by the button, and tells what is new while nobody looks", async () => {
  const desk = await lab.openDesk(hub, { place });
  // A Chromium without windows denies it before anybody has asked.
  await desk.page.addInitScript(() =>
    Object.defineProperty(Notification, "permission", { configurable: true, get: () => "default" }),
  );
  await desk.page.reload();
  await desk.page.getByRole("button", { name: "Notify me" }).waitFor();
  await desk.context.grantPermissions(["notifications"]);
  await desk.page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    class Notice extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title: string, options: NotificationOptions) {
        super();
        told.push(`${title}: ${options.body ?? ""}, ${options.silent === true ? "silent" : "loud"}`);
      }
    }
    Object.defineProperty(window, "Notification", { value: Notice });
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  });

  await askPerson(hub, "news", { title: "npm run news", rawInput: { command: "npm run news --secret" } });

  const told = () => desk.page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect.poll(told).toEqual(["huddle: news asks for a permission, silent"]);
});
