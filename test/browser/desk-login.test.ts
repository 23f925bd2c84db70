import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";

/* Who gets into the desk, and how tabs share that. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
  await hub.http.call("POST", "/api/agents", { token: hub.operator, body: { name: "ann" } });
});
afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

test("a link of `huddle ui` leads to its place, and its code is not in the address any more", async () => {
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "ann" } });

  await page.getByRole("link", { name: /ann/ }).first().waitFor();

  expect(page.url()).toBe(`${hub.url}/#/agents/ann`);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("a page without a token says what to type, and goes on when another tab is logged in", async () => {
  const first = await lab.openDesk(hub, { login: false });
  await first.page.getByText("huddle ui", { exact: true }).waitFor();

  const second = await lab.openDesk(hub, { beside: first });
  await second.page.getByText("live", { exact: true }).waitFor();

  await first.page.getByText("live", { exact: true }).waitFor();
  const third = await lab.openDesk(hub, { beside: first, login: false });
  await third.page.getByText("live", { exact: true }).waitFor();
});

test("another browser gets nothing from them", async () => {
  const mine = await lab.openDesk(hub);
  await mine.page.getByText("live", { exact: true }).waitFor();

  const theirs = await lab.openDesk(hub, { login: false });

  await theirs.page.getByText("huddle ui", { exact: true }).waitFor();
});

test("a link that was used says so, and what to type", async () => {
  const desk = await lab.openDesk(hub, { login: false });
  desk.expectProblem(/403/);

  await desk.page.goto(`${hub.url}/#code=used-up`);

  await desk.page.getByText(/This link was used, or it is too old/).waitFor();
  await desk.page.getByText("huddle ui", { exact: true }).waitFor();
});

test("a token that the hub takes no more leads back to the page that says what to type", async () => {
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/401|Unauthorized/);
  await desk.page.getByText("live", { exact: true }).waitFor();

  await desk.page.evaluate(() => sessionStorage.setItem("huddle.token", "hud_desk_1.x.y"));
  await desk.page.reload();

  await desk.page.getByText("huddle ui", { exact: true }).waitFor();
  expect(await desk.page.evaluate(() => sessionStorage.getItem("huddle.token"))).toBeNull();
});

test.each(["dark", "light"] as const)(
  "people with disabilities can read the login page, %s",
  async (theme) => {
    const { page } = await lab.openDesk(hub, { login: false, theme });
    await page.getByText("huddle ui", { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  },
);
