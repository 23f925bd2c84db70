import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard } from "../fakes/hub-process.js";
import { cli } from "../fakes/run-cli.js";

/* The page that `huddle ui` has the browser open, in a browser. */

const yard = createHubYard();
const lab = createDeskLab();
afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

test("it leads on to the desk, without a click, and the code reaches no server in an address", async () => {
  const hub = await yard.start();
  await cli(["ui", "agents/ann"], { env: { HUDDLE_HOME: hub.home, BROWSER: "true", PATH: "/bin:/usr/bin" } });
  const [file = "none"] = readdirSync(join(hub.home, "desk"));
  const { context } = await lab.openDesk(hub, { login: false });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.url()} ${request.headers()["referer"] ?? ""}`));

  await page.goto(`file://${join(hub.home, "desk", file)}`);
  await page.waitForURL(`${hub.url}/**`);

  const code = /code=([\w-]{43})/;
  expect(asked.some((one) => one.startsWith(hub.url))).toBe(true);
  // Chromium shows a test the fragment as well; it stands behind the `#` and nowhere else.
  expect(asked.filter((one) => code.test(one.split("#")[0] ?? ""))).toEqual([]);
});
