import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bubbleOf, personAt } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { eventually, spawnAgent, startHostingHub, stateOf } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";

/* What a person does with an agent besides writing to it: pause, rename, shut down, kill. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard);
});
afterAll(() => yard.clear());

async function openAgent(name: string) {
  await spawnAgent(hub, { name, project: hub.home });
  return lab.openDesk(hub, { place: { page: "agent", name } });
}

async function choose(page: Page, name: string, item: string) {
  await page.getByRole("button", { name: `More about ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const isGone = (name: string) =>
  eventually(async () => {
    const { status } = await personAt(hub).call("GET", `/api/agents/${name}`);
    return status === 410 ? true : undefined;
  }, `${name} is gone`);

test("an agent that is paused keeps its mail, and reads it when it is resumed", async () => {
  const { page } = await openAgent("resting");
  await choose(page, "resting", "Pause");
  await page.getByText("resting is paused").waitFor();
  const id = await personAt(hub).send("resting", "!say read at last");
  await bubbleOf(page, id).waitFor();
  const { json } = await personAt(hub).call("GET", "/api/agents/resting");
  expect(json["paused"]).toBe(true);

  await choose(page, "resting", "Resume");

  await page.getByText("read at last", { exact: true }).first().waitFor();
});

test("a rename says what is wrong with a name, and takes the page along", async () => {
  const { page, expectProblem } = await openAgent("first-name");
  expectProblem(/400/);
  await choose(page, "first-name", "Rename…");
  const dialog = page.getByRole("dialog", { name: "Rename first-name" });

  await dialog.getByLabel("New name").fill("No Such Name!");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await dialog.locator(".ask__error").waitFor();
  await dialog.getByLabel("New name").fill("second-name");
  await dialog.getByLabel("New name").press("Enter");

  await page.waitForURL(`${hub.url}/#/agents/second-name`);
  await page.getByRole("heading", { level: 1, name: "second-name" }).waitFor();
});

test("an agent is shut down after its turn, and killed at once, each after a second look", async () => {
  const { page } = await openAgent("tired");
  await choose(page, "tired", "Shut down…");
  await page.getByRole("button", { name: "Cancel" }).click();
  await eventually(async () => ((await stateOf(hub, "tired")) === "idle" ? true : undefined), "it is idle");
  await choose(page, "tired", "Shut down…");
  await page.getByRole("dialog").getByRole("button", { name: "Shut down" }).click();
  await isGone("tired");

  const { page: other } = await openAgent("doomed");
  await personAt(hub).send("doomed", "!hang");
  await choose(other, "doomed", "Kill…");
  await other.getByText("It ends at once, with everything that it began.").waitFor();
  await other.getByRole("dialog").getByRole("button", { name: "Kill" }).click();
  await isGone("doomed");
});
