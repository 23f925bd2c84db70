import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

/* Who may see the desk: by a code, by another tab, and not without. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
  await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const whatToType = "huddle ui";

test("a code opens the desk at its place, and is gone from the address", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "ann" } });

  await page.getByRole("navigation").first().waitFor();

  expect(page.url()).toBe(`${hub.url}/#/agents/ann`);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("a link works once: a second time says what to type, and another browser is not let in", async () => {
  const first = await lab.openDesk(hub, { login: false });
  const code = await first.newCode();
  await first.page.goto(`${hub.url}/#code=${code}`);
  await first.page.getByRole("navigation").first().waitFor();
  const second = await lab.openDesk(hub, { login: false });
  second.expectProblem(/403/);

  await second.page.goto(`${hub.url}/#code=${code}`);

  await second.page.getByText("This link was used, or it is too old").waitFor();
  await second.page.getByText(whatToType).first().waitFor();

  const stranger = await lab.openDesk(hub, { login: false });

  await stranger.page.getByText(whatToType).first().waitFor();
});

test("a page without a token says what to type, and asks the hub for nothing", async () => {
  const desk = await lab.openDesk(hub, { login: false });
  const asked: string[] = [];
  desk.page.on("request", (request) => asked.push(new URL(request.url()).pathname));

  await desk.page.reload();

  await desk.page.getByText(whatToType).first().waitFor();
  expect(asked.filter((path) => !/^\/(assets\/.*)?$/.test(path))).toEqual([]);
});

test("the page that `huddle ui` opens leads on to the desk, and its code reaches no server in an address", async () => {
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

test("a second tab is let in by the first, and one that waited, too", async () => {
  const waiting = await lab.openDesk(hub, { login: false });
  await waiting.page.getByText(whatToType).first().waitFor();

  const first = await lab.openDesk(hub, { beside: waiting });
  await first.page.getByRole("navigation").first().waitFor();
  const later = await lab.openDesk(hub, { login: false, beside: waiting });

  await waiting.page.getByRole("navigation").first().waitFor();
  await later.page.getByRole("navigation").first().waitFor();
});
