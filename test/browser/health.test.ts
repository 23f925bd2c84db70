import { chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { cli } from "../fakes/run-cli.js";
import { joinAs, personAt } from "./chat-scene.js";

/* How the hub is, and what agents cost: figures of a real hub with a scripted agent that tells its costs. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: ["budgets.agent_usd=5", "hosting.agents=2"] });
  await joinAs(hub, "ann-dev");
  await joinAs(hub, "ben-dev");
  await spawnAgent(hub, { name: "cost-dev", project: tmpdir() });
  await personAt(hub).send("cost-dev", "!usage 1.25 !say done");
  await eventually(async () => {
    const { json } = await personAt(hub).call("GET", "/api/usage");
    return (json["usage"] as unknown[]).length > 0 ? true : undefined;
  }, "the usage of a turn");
});
afterAll(() => yard.clear());

const place = { page: "health" } as const;

test("it shows the figures that the hub tells, usage with budgets, and what is paused, which goes on from here", async () => {
  const { page } = await lab.openDesk(hub, { place });
  await page.getByText("all is well").waitFor();
  const tile = page.locator(".health-tile", { hasText: "Journal" });
  // There may be more of them in any moment.
  const isTold = async () => {
    const { json } = await personAt(hub).call("GET", "/api/health/details");
    const { events } = json["journal"] as { events: number };
    return (await tile.textContent())?.includes(`${events} events`);
  };
  await expect.poll(isTold).toBe(true);
  await expect.poll(() => page.locator(".health-tile", { hasText: "Up" }).textContent()).toContain("pid ");
  const limit = page.getByRole("row", { name: /hosting\.agents/ });
  expect(await limit.textContent()).toContain("1 of 2");
  expect(await page.getByRole("row", { name: /^scripted/ }).textContent()).toMatch(/1 agent.*found/);
  await page.getByText("npm i -g droid").waitFor();

  const row = page.getByRole("row", { name: /cost-dev/ });
  await row.waitFor();
  expect(await row.locator("td").allTextContents()).toEqual(["1", "–", "–", "$1.25", " $5.00"]);
  const today = page.getByRole("table").filter({ hasText: "Tokens in" }).first().getByRole("row").last();
  expect(await today.textContent()).toContain("$1.25");

  await personAt(hub).send("cost-dev", "!usage 2 !say more");
  await expect.poll(() => row.textContent()).toContain("$2.00");

  await page.getByText("Agents, pairs and conversations that you paused stand here.").waitFor();
  await personAt(hub).call("POST", "/api/pairs/ann-dev/ben-dev", { body: { action: "pause" } });
  await personAt(hub).call("POST", "/api/agents/ann-dev/pause", { body: {} });
  const rows = page.locator(".health-paused");
  await expect.poll(() => rows.count()).toBe(2);

  await rows.first().getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await rows.first().getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => rows.count()).toBe(0);
  const { json: pairs } = await personAt(hub).call("GET", "/api/pairs");
  expect((pairs["pairs"] as { paused: boolean }[]).filter(({ paused }) => paused)).toEqual([]);
});

test("doctor runs when the person asks; a limit that is nearly reached is a problem: on the page, in the sidebar and in the terminal", async () => {
  const token = join(hub.home, "token");
  const { page } = await lab.openDesk(hub, { place });
  const card = page.getByRole("region", { name: "Doctor" });
  await card.getByText("as huddle doctor does in a terminal", { exact: false }).waitFor();
  chmodSync(token, 0o644);
  onTestFinished(() => chmodSync(token, 0o600));

  await card.getByRole("button", { name: "Run the checks" }).click();

  await card.getByText(`chmod 600 ${token}`).waitFor();
  await card.getByText("huddle doctor --fix", { exact: true }).waitFor();
  await card.getByText(/\d+ checks are fine/).click();
  await card.getByText("No process was left behind", { exact: false }).waitFor();
  expect(await findViolations(page)).toEqual([]);

  chmodSync(token, 0o600);
  await card.getByRole("button", { name: "Run them again" }).click();
  await expect.poll(() => card.getByText(`chmod 600 ${token}`).count()).toBe(0);

  await spawnAgent(hub, { name: "second-dev", project: tmpdir() });
  await page.getByText("1 problem", { exact: true }).first().waitFor();
  await page.getByText("Agents that the hub runs: 2 of 2").waitFor();
  await page.getByText("Raise hosting.agents", { exact: false }).waitFor();
  await expect
    .poll(() => page.locator(".page-link", { hasText: "Health" }).textContent())
    .toContain("1 problem");
  const { stdout } = await cli(["status"], { env: { HUDDLE_HOME: hub.home } });
  expect(stdout).toContain(
    "Agents that the hub runs: 2 of 2. More are refused or held. Raise hosting.agents.",
  );
});
