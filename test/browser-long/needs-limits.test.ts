import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { personAt } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { answeredIn, hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* What stops an agent without its doing: its vendor's limit, its budget, a dialog on its screen. */

const yard = createHubYard();
const lab = createDeskLab();
const home = yard.home();

let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard, {
    home,
    set: [
      "backends.scripted.like=claude-code",
      `backends.scripted.env=${JSON.stringify({ SCRIPTED_HOME: home })}`,
      "budgets.agent_usd=5",
      "backends.pane.like=claude-code",
      `backends.pane.command=${screenProgram}`,
      'backends.pane.args=["--guise","claude"]',
      "backends.pane.runtime=tmux",
      "tmux.poll_interval_ms=50",
      "tmux.timeout_secs=30",
      "tmux.ready_timeout_secs=60",
    ],
  });
});
afterAll(async () => {
  // The pane first: a bridge in it would start another hub.
  tmux(hubSocket(home), "kill-server");
  await yard.clear();
});

const place = { page: "needs-you" } as const;
/** Buttons in it are pressed by a key: a click just after cards have moved is ignored. */
const card = (page: Page, kind: string) => page.locator(`[data-kind="${kind}"]:not(.need--settled)`);

test("an agent at its vendor's limit says until when, and one at its budget goes on when the person says so", async () => {
  await spawnAgent(hub, { name: "limited", project: tempFolder(), message: "!limit 600 !say done" });
  await spawnAgent(hub, { name: "spender", project: tempFolder(), message: "!usage 6 !say spent" });
  const { page } = await lab.openDesk(hub, { place });

  await card(page, "limit")
    .getByText(/reached a usage limit, until \d\d:\d\d/)
    .waitFor();
  const budget = card(page, "budget");
  await budget.getByText("$6.00 of $5").waitFor();
  expect(await findViolations(page)).toEqual([]);
  const id = await personAt(hub).send("spender", "!say goes on");
  await budget.getByRole("button", { name: "Continue, $5 more" }).press("Enter");

  await budget.waitFor({ state: "detached" });
  await reaches(hub, id, "finished");
});

test("a dialog on the screen of a pane is answered from the desk by its own key", async () => {
  const project = tempFolder();
  await spawnAgent(hub, { name: "painter", backend: "pane", project });
  await personAt(hub).send("painter", "!permission");
  const { page } = await lab.openDesk(hub, { place });
  const asked = card(page, "permission");

  await asked.getByText("rm -rf build").first().waitFor();
  await asked.getByRole("button", { name: "Allow once" }).press("Enter");

  await asked.waitFor({ state: "detached" });
  await expect.poll(() => answeredIn(project), { timeout: PATIENCE_MS }).toEqual(["1"]);
});
