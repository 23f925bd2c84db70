import { afterAll, expect, test } from "vitest";
import { personAt } from "../browser/chat-scene.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";
import { hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* The screen of an agent in a tmux pane. Under the policy of the page, whose violations fail the test. */

const yard = createHubYard();
const lab = createDeskLab();
const home = yard.home();

afterAll(async () => {
  // The pane first: a bridge in it would start another hub.
  tmux(hubSocket(home), "kill-server");
  await yard.clear();
});

test("the screen of a pane shows while somebody looks, with what was typed into it, and takes no keys", async () => {
  const hub = await startHostingHub(yard, {
    home,
    set: [
      "backends.pane.like=claude-code",
      `backends.pane.command=${screenProgram}`,
      'backends.pane.args=["--guise","claude"]',
      "backends.pane.runtime=tmux",
      "tmux.poll_interval_ms=50",
      "tmux.timeout_secs=30",
      "tmux.ready_timeout_secs=60",
    ],
  });
  await spawnAgent(hub, { name: "painter", backend: "pane", project: tempFolder() });
  const { page, shoot } = await lab.openDesk(hub, { place: { page: "agent", name: "painter" }, width: 1440 });
  await page.getByRole("tab", { name: "Terminal" }).click();
  const screen = page.locator(".screen");
  await screen.waitFor();

  const id = await personAt(hub).send("painter", "!say painted for you");
  await reaches(hub, id, "injected");

  await screen.getByText("painted for you").first().waitFor();
  await page.getByText("Typed into this pane").waitFor();
  await shoot("terminal");
  await page.locator(".terminal__ground").focus();
  await page.keyboard.type("zzz");
  const { json } = await personAt(hub).call("GET", "/api/agents/painter/screen");
  expect(String(json["text"])).not.toContain("zzz");
});
