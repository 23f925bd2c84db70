import { afterAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { createHubYard } from "../fakes/hub-process.js";
import { freePort } from "../fakes/hub-sides.js";

/* A hub that goes away and comes back. */

const yard = createHubYard();
const lab = createDeskLab();

afterAll(async () => {
  await lab.clear();
  await yard.clear();
});

test("the page says that it is not live, and has all that happened once the hub is back", async () => {
  const hub = await yard.start({ port: await freePort() });
  const { home, port, operator } = hub;
  const register = (on: typeof hub, name: string) =>
    on.http.call("POST", "/api/agents", { token: operator, body: { name } });
  await register(hub, "ann");
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/ERR_CONNECTION_REFUSED|WebSocket|Failed to load|The hub did not send it/);
  const { page } = desk;
  const names = () => page.locator(".agent-link__name").allTextContents();
  await page.getByText("live", { exact: true }).waitFor();

  await hub.stop();
  await page.getByText("Reconnecting.", { exact: true }).waitFor();
  const again = await yard.start({ home, port });
  await register(again, "bob");
  await page
    .getByRole("button", { name: "Try now" })
    // Gone, if it tried by itself.
    .click({ timeout: 2000 })
    .catch(() => {});

  await page.getByText("live", { exact: true }).waitFor();
  await expect.poll(names).toEqual(["ann", "bob"]);
  await register(again, "cy");
  await expect.poll(names).toEqual(["ann", "bob", "cy"]);
  expect(await page.getByText("Reconnecting.", { exact: true }).count()).toBe(0);
});

test("a page that is opened while the hub is away says so, leaves the others alone, and comes once the hub is back", async () => {
  const hub = await yard.start({ port: await freePort() });
  const { home, port, operator } = hub;
  await hub.http.call("POST", "/api/agents", { token: operator, body: { name: "ann" } });
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/ERR_CONNECTION_REFUSED|WebSocket|Failed to load|The hub did not send it/);
  const { page } = desk;
  await page.getByText("live", { exact: true }).waitFor();
  await hub.stop();

  await page.getByRole("link", { name: "Workflows" }).click();
  await page.getByText("It was not possible to load the workflows").waitFor();
  expect(await page.getByRole("link", { name: "Health" }).isVisible()).toBe(true);
  await yard.start({ home, port });

  await page.getByText("It was not possible to load the workflows").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /Run a workflow/ }).waitFor();
});

test("a hub with another journal is taken for what it is", async () => {
  const hub = await yard.start({ port: await freePort() });
  const { port } = hub;
  for (const name of ["ann", "bob", "cy"])
    await hub.http.call("POST", "/api/agents", { token: hub.operator, body: { name } });
  const desk = await lab.openDesk(hub);
  desk.expectProblem(/ERR_CONNECTION_REFUSED|WebSocket|Failed to load|The hub did not send it|401/);
  await desk.page.getByText("live", { exact: true }).waitFor();

  await hub.stop();
  await yard.start({ port });

  await desk.page.getByText("huddle ui", { exact: true }).waitFor();
});
