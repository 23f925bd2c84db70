import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { freePort } from "../fakes/hub-sides.js";

/* A desk that was let in, and whose hub went away, began anew or takes its token no more. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

const whatToType = "huddle ui";

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
