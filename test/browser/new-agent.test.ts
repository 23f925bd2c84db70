import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { hasFocus } from "./chat-scene.js";

/* First start, and starting an agent from the desk. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let project: string;

beforeAll(async () => {
  hub = await startHostingHub(yard);
  project = join(hub.home, "shop");
  mkdirSync(join(project, "payments", ".git"), { recursive: true });
});
afterAll(() => yard.clear());

const place = { page: "new-agent" } as const;
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "New agent" });

test("a hub without agents says what to do; an agent is started by the keyboard alone, with its folder completed and a first message", async () => {
  const { page, shoot } = await lab.openDesk(hub);
  await page.getByRole("heading", { name: "No agents yet" }).waitFor();
  await page.getByText("Journal is on disk").waitFor();
  for (const command of ["huddle demo", "huddle connect", "huddle spawn ann -b codex"])
    await page.getByRole("button", { name: `Copy ${command}` }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await shoot("first-start-dark");
  await page.getByRole("button", { name: "New agent…" }).click();
  await dialogOf(page).waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "hidden" });

  await page.keyboard.press("+");
  const dialog = dialogOf(page);
  await hasFocus(dialog.getByLabel("Name", { exact: true }));
  await page.keyboard.type("stripe-dev");
  await dialog.getByText("free", { exact: true }).waitFor();
  await dialog.getByLabel("Project folder").focus();
  await page.keyboard.type(`${project}/pay`);
  await dialog.getByRole("option", { name: /payments/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => dialog.getByLabel("Project folder").inputValue()).toBe(join(project, "payments"));
  await expect.poll(() => dialog.getByRole("checkbox", { name: /worktree/ }).isEnabled()).toBe(true);
  await dialog.getByLabel("First message").focus();
  await page.keyboard.type("!say hello");
  await shoot("new-agent");
  await page.keyboard.press("Control+Enter");

  await page.waitForURL((url) => url.hash === "#/agents/stripe-dev");
  const { json } = await hub.http.call("GET", "/api/agents/stripe-dev", { token: hub.operator });
  expect(json).toMatchObject({ backend: "scripted", project: join(project, "payments"), runtime: "acp" });
  await eventually(async () => {
    const state = await hub.http.call("GET", `/api/sessions/${String(json["id"])}/state`, {
      token: hub.operator,
    });
    return JSON.stringify(state.json["lastMessage"]).includes("hello") ? true : undefined;
  }, "it did what its first message says");
});

test("a start that fails says the hub's own reason, and nothing that was typed is lost", async () => {
  const desk = await lab.openDesk(hub, { place });
  desk.expectProblem(/403|PROJECT_NOT_ALLOWED|400|404/);
  const dialog = dialogOf(desk.page);
  await dialog.getByLabel("Name", { exact: true }).fill("lost");
  await dialog.getByLabel("Project folder").fill("/nowhere/at/all");
  await dialog.getByLabel("First message").fill("Do not lose this");

  await dialog.getByRole("button", { name: /Start agent/ }).click();

  await dialog.getByRole("heading", { name: "The agent did not start" }).waitFor();
  expect(await dialog.getByRole("alert").last().textContent()).toContain("/nowhere/at/all");
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("lost");
  expect(await dialog.getByLabel("First message").inputValue()).toBe("Do not lose this");
  const { status } = await hub.http.call("GET", "/api/agents/lost", { token: hub.operator });
  expect(status).toBe(404);
  await desk.page.keyboard.press("Escape");
  await desk.page.keyboard.press("+");
  expect(await dialogOf(desk.page).getByLabel("First message").inputValue()).toBe("Do not lose this");
});

test("a name is checked while it is typed; a CLI that is not there says how to install it, and cannot be started", async () => {
  const { page, shoot } = await lab.openDesk(hub, { place });
  const dialog = dialogOf(page);
  await dialog.locator(".backend--chosen").waitFor();
  await dialog.getByLabel("Project folder").focus();
  await dialog.getByRole("listbox").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await shoot("new-agent-dark");
  const field = dialog.getByLabel("Name", { exact: true });

  await field.fill("Not A Name");
  await dialog.getByText("is not a name").waitFor();
  await field.fill("stripe-dev");
  await dialog.getByText("it will be called stripe-dev-2").waitFor();
  await field.fill("stripe_dev");
  await dialog.getByText("It can be taken for stripe-dev").waitFor();

  const missing = dialog.locator(".backend--missing").first();
  await missing.waitFor();

  await missing.click();

  await dialog.getByText("was not found on this machine").waitFor();
  expect(await dialog.getByRole("button", { name: /Start agent/ }).isDisabled()).toBe(true);
});
