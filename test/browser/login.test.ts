import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { freePort } from "../fakes/hub-sides.js";
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
afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

const whatToType = "huddle ui";

test("a code opens the desk at its place, and is gone from the address", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "ann" } });

  await page.getByRole("navigation").first().waitFor();

  expect(page.url()).toBe(`${hub.url}/#/agents/ann`);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("the same link a second time says what to type", async () => {
  const first = await lab.openDesk(hub, { login: false });
  const code = await first.newCode();
  await first.page.goto(`${hub.url}/#code=${code}`);
  await first.page.getByRole("navigation").first().waitFor();
  const second = await lab.openDesk(hub, { login: false });
  second.expectProblem(/403/);

  await second.page.goto(`${hub.url}/#code=${code}`);

  await second.page.getByText("This link was used, or it is too old").waitFor();
  await second.page.getByText(whatToType).first().waitFor();
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

test("another browser is not let in", async () => {
  const first = await lab.openDesk(hub);
  await first.page.getByRole("navigation").first().waitFor();

  const stranger = await lab.openDesk(hub, { login: false });

  await stranger.page.getByText(whatToType).first().waitFor();
});

test("the desk stays logged in over a restart of the hub, and is logged out by another operator's token", async () => {
  const own = await yard.start({ port: await freePort() });
  const desk = await lab.openDesk(own);
  await desk.page.getByRole("navigation").first().waitFor();
  desk.expectProblem(/ERR_CONNECTION|WebSocket|401|Failed to load resource/);
  await own.stop();

  const again = await yard.start({ home: own.home, port: own.port });
  await desk.page.reload();
  await desk.page.getByRole("navigation").first().waitFor();
  await again.stop();
  rmSync(join(own.home, "token"));
  await yard.start({ home: own.home, port: own.port });

  await desk.page.getByText(whatToType).first().waitFor();
}, 600_000);

test("a page whose hub was away as it was loaded comes up by itself", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/ERR_FAILED|Failed to load resource/);
  await desk.page.route("**/health", (route) => route.abort());
  await desk.page.reload();
  await desk.page.getByText("The hub does not answer").first().waitFor();

  await desk.page.unroute("**/health");

  await desk.page.getByText("live", { exact: true }).waitFor();
});

test("a token that the hub takes no more leads back to the page that says what to type", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/401|Unauthorized/);
  await desk.page.getByText("live", { exact: true }).waitFor();

  await desk.page.evaluate(() => sessionStorage.setItem("huddle.token", "hud_desk_1.x.y"));
  await desk.page.reload();

  await desk.page.getByText(whatToType).first().waitFor();
  expect(await desk.page.evaluate(() => sessionStorage.getItem("huddle.token"))).toBeNull();
});

test.each(["dark", "light"] as const)(
  "people with disabilities can read the login page, %s",
  async (theme) => {
    const { page } = await lab.openDesk(hub, { login: false, theme });
    await page.getByText(whatToType).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
  },
);
