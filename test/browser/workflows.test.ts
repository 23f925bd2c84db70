import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import {
  act,
  createWorkflow,
  endOf,
  outputs,
  showWorkflow,
  statuses,
  stepIs,
} from "../fakes/workflow-calls.js";
import { type Crew, crewNames, failingCheck, joinCrew, playFixAndVerify } from "./work-scene.js";

/* Workflows at the desk of a real hub: scripted agents carry out their steps, a person looks and decides. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;
let crew: Crew;

beforeAll(async () => {
  const checks = ["mended", "given"].map((name) => `checks.${name}=${JSON.stringify(["test", "-f", name])}`);
  hub = await startHostingHub(yard, { set: [failingCheck, ...checks] });
  for (const name of ["mended", "given"])
    await hub.http.call("POST", `/api/checks/${name}/allow`, {
      token: hub.operator,
      body: { project: hub.home },
    });
  crew = await joinCrew(hub, crewNames);
  await spawnAgent(hub, { name: "ann", project: hub.home });
  await spawnAgent(hub, { name: "bea", project: hub.home });
});
afterAll(() => yard.clear());

const at = (id: string, step?: string) =>
  ({ page: "workflows", id, ...(step === undefined ? {} : { step }) }) as const;
const node = (page: Page, step: string) => page.locator(`[data-step="${step}"]`);
const drawer = (page: Page) => page.locator(".step-drawer");
const gate = (name: string) => join(hub.home, `gate-${name}`);
const openGate = (name: string) => writeFileSync(gate(name), "");
const step = (name: string, prompt: string, depends_on: string[] = [], more = {}) => ({
  name,
  agent: "ann",
  prompt,
  depends_on,
  ...more,
});

test("a workflow is seen as it runs: pending, running, done, failed, blocked, skipped; then retried from the step, by its key", async () => {
  const id = await createWorkflow(
    hub,
    [
      step("plan", `!gate ${gate("plan")} !say the plan`),
      step("build", "!say built", ["plan"], { checks: ["mended"] }),
      step("undo", "!say undone", ["plan"], { on: "failure" }),
      step("ship", "!say shipped {{build.output}}", ["build"]),
    ],
    { name: "seen" },
  );
  const { page } = await lab.openDesk(hub, { place: at(id) });
  await node(page, "plan").getByText("running").waitFor();
  await node(page, "ship").getByText("pending").waitFor();

  openGate("plan");

  await node(page, "build").getByText("failed").waitFor();
  await node(page, "plan").getByText("done").waitFor();
  await node(page, "undo").getByText("skipped").waitFor();
  await node(page, "ship").getByText("blocked").waitFor();
  await page.getByText("1/4 done · 1 failed").waitFor();
  await page.getByRole("row", { name: /seen/ }).getByText("1/4, failed at build").waitFor();

  // Keys only: to the step, into its drawer, again.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await drawer(page).getByText("Why it failed").waitFor();
  await drawer(page)
    .getByText(/^Next: see what the check mended printed, .* One step waits for it\.$/)
    .waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/workflows/${id}/build`);
  writeFileSync(join(hub.home, "mended"), "");
  await page.keyboard.press("R");

  await node(page, "ship").getByText("done").waitFor();
  await page.getByText("3/4 done").first().waitFor();
  expect(outputs(await endOf(hub, id))["build"]).toBe("built");
  await drawer(page).getByText("Attempts").waitFor();
  await expect.poll(() => drawer(page).locator(".step-try").count()).toBe(2);
});

test("a step that failed is given to another agent", async () => {
  const id = await createWorkflow(hub, [step("work", "!say mine", [], { checks: ["given"] })], {
    name: "given",
  });
  await stepIs(hub, id, "work", "failed");
  const { page } = await lab.openDesk(hub, { place: at(id, "work") });
  writeFileSync(join(hub.home, "given"), "");

  await drawer(page).getByRole("button", { name: "Give to…" }).click();
  await page.getByRole("menuitem", { name: "bea" }).click();

  await drawer(page).getByRole("link", { name: "bea" }).waitFor();
  const { steps } = await endOf(hub, id);
  expect(steps.map(({ agent, status }) => `${agent} ${status}`)).toEqual(["bea done"]);
  await node(page, "work").getByText("bea").waitFor();
});

test("an approval shows its whole prompt and what flows in, and is given by its key only once it is seen; a link to a workflow that is gone says so", async () => {
  const id = await createWorkflow(
    hub,
    [
      step("plan", "!say drop the old table"),
      step("deploy", "!say deployed. It was told: {{plan.output}}", ["plan"], { approve: true }),
    ],
    { name: "asks" },
  );
  const { page, expectProblem } = await lab.openDesk(hub, { place: at(id) });
  await node(page, "deploy").getByText("waits: you").waitFor();
  await page.keyboard.press("k");

  // What is not seen is not approved.
  await page.keyboard.press("a");
  await drawer(page).getByText("{{plan.output}}").waitFor();
  expect(statuses(await showWorkflow(hub, id))).toBe("plan done, deploy waiting");
  await drawer(page).getByText("plan", { exact: true }).click();
  await drawer(page).getByText("drop the old table").last().waitFor();
  await page.keyboard.press("a");

  await node(page, "deploy").getByText("done").waitFor();
  await page.getByText("2/2 done").first().waitFor();

  await page.goto(`${hub.url}/#/workflows/wf-none`);
  expectProblem(/404/);

  await page.getByText("No such workflow").waitFor();
});

test("one is rejected with a word, another workflow is cancelled after a second look", async () => {
  const id = await createWorkflow(hub, [{ name: "look", approve: true }], { name: "gate" });
  const { page } = await lab.openDesk(hub, { place: at(id, "look") });
  await drawer(page).getByRole("textbox", { name: "What you say about it" }).fill("not on a Friday");
  await drawer(page).getByRole("button", { name: "Reject" }).click();
  await drawer(page).getByText("Rejected by the person: not on a Friday").waitFor();
  await drawer(page).getByText("Next: retry asks you again.").waitFor();

  const long = await createWorkflow(hub, [step("long", `!gate ${gate("never")}`)], { name: "endless" });
  await page.goto(`${hub.url}/#/workflows/${long}`);
  await node(page, "long").getByText("running").waitFor();
  await page.getByRole("button", { name: "More about endless" }).click();
  await page.getByRole("menuitem", { name: "Cancel the workflow…" }).click();
  expect(statuses(await showWorkflow(hub, long))).toBe("long running");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the workflow" }).click();

  await node(page, "long").getByText("cancelled").waitFor();
  expect((await endOf(hub, long)).status).toBe("cancelled");
  openGate("never");
});

test("a definition file runs from the page; one with problems says line and column, and starts nothing", async () => {
  const { page, expectProblem } = await lab.openDesk(hub, { place: { page: "workflows" } });
  // The hub refuses what names nobody.
  expectProblem(/400/);
  await page.getByRole("button", { name: "Run a workflow…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run a workflow" });
  const give = (name: string, text: string) =>
    dialog
      .getByLabel("Choose a definition file")
      .setInputFiles({ name, mimeType: "application/yaml", buffer: Buffer.from(text) });

  await give("bad.yaml", "name: bad\nsteps:\n  - name: a\n    agent: ann\n    promt: hello\n");
  await dialog.getByText("bad.yaml has").waitFor();
  await dialog.getByRole("button", { name: /line 5, column 5 "promt" is not a key of step 1/ }).waitFor();
  expect(await dialog.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
  // What only the hub knows is told at its place, too.
  await give("nobody.yaml", "name: bad\nsteps:\n  - agent: nobdy\n    prompt: hello\n");
  await dialog.getByText("bad: 1 step, 1 of them begin at once.").waitFor();
  await dialog.getByRole("button", { name: "Run", exact: true }).click();
  await dialog
    .getByRole("button", { name: /line 3, column 12 no agent and no backend is named "nobdy"/ })
    .waitFor();
  expect(await findViolations(page)).toEqual([]);
  await give(
    "good.yaml",
    "name: from-a-file\nsteps:\n  - name: hello\n    agent: ann\n    prompt: '!say hello'\n",
  );
  await dialog.getByText("from-a-file: 1 step").waitFor();
  await page.keyboard.press("Control+Enter");

  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "from-a-file" }).waitFor();
  await node(page, "hello").getByText("done").waitFor();
  const id = /workflows\/(.+)$/.exec(page.url())?.[1] ?? "";
  expect(outputs(await endOf(hub, id))).toEqual({ hello: "hello" });
});

test("runs of before are there, failed ones alone by a key, and the sidebar tells how far what runs is", async () => {
  const good = await createWorkflow(hub, [step("work", "!say done")], { name: "went-well" });
  const bad = await createWorkflow(hub, [{ name: "look", approve: true }], { name: "went-wrong" });
  await act(hub, `${bad}/steps/look/reject`);
  await endOf(hub, good);
  const id = await createWorkflow(
    hub,
    [step("one", "!say 1"), step("two", `!gate ${gate("two")} !say 2`, ["one"])],
    { name: "counted" },
  );
  const { page } = await lab.openDesk(hub, { place: { page: "workflows" } });
  await page.getByRole("heading", { name: "counted" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Workflows 1/2 steps done" }).waitFor();
  const names = () => page.locator(".runs__name").allTextContents();
  await expect.poll(names).toEqual(expect.arrayContaining(["counted", "went-wrong", "went-well"]));

  await page.keyboard.press("x");
  await expect.poll(names).not.toContain("went-well");
  expect(await names()).toContain("went-wrong");
  await page.keyboard.press("x");
  await page
    .getByRole("row", { name: /^went-well/ })
    .getByRole("link")
    .click();
  await node(page, "work").waitFor();
  await page.goBack();
  await node(page, "two").waitFor();
  openGate("two");
  await endOf(hub, id);

  await page.getByRole("navigation").getByRole("link", { name: "Workflows", exact: true }).waitFor();
});

test("graph and timeline share what is chosen, without barriers", async () => {
  const id = await playFixAndVerify(hub, crew);
  const { page, shoot } = await lab.openDesk(hub, {
    place: at(id, "fix-capture"),
    width: 1440,
    height: 900,
  });
  const row = page.getByRole("row", { name: /^fix-capture/ });
  await drawer(page).getByText("exit 1", { exact: true }).waitFor();
  await drawer(page).getByText("expected 19.97 to be 19.98").waitFor();
  await expect.poll(() => row.getAttribute("aria-current")).toBe("step");
  expect(await findViolations(page)).toEqual([]);
  await shoot("workflows-dark");

  await page.getByRole("button", { name: "backfill" }).last().click();
  await expect.poll(() => node(page, "backfill").getAttribute("aria-current")).toBe("step");
  await page.keyboard.press("v");
  await expect.poll(() => page.locator(".timeline").count()).toBe(0);
  await page.keyboard.press("v");
  await expect.poll(() => page.locator(".step-graph").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expect.poll(() => drawer(page).count()).toBe(0);
});
