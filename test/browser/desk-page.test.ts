import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";

/* The page itself, before anybody is logged in: what it may do, and that the tests would notice. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await yard.start();
});
afterAll(() => yard.clear());

test("the page loads all its parts under its own policy, and people with disabilities can use it", async () => {
  const { page, problems } = await lab.openDesk(hub, { login: false });

  await page.locator("#root > *").first().waitFor();

  expect(problems).toEqual([]);

  expect(await findViolations(page)).toEqual([]);
  await page.evaluate(() => document.body.append(document.createElement("button")));
  expect(await findViolations(page)).toEqual([expect.stringContaining("button-name")]);
});

test("inline script and eval do not run, nothing is fetched from elsewhere, and the test is told", async () => {
  const desk = await lab.openDesk(hub, { login: false });
  desk.expectProblem(/Content Security Policy/);

  const ran = await desk.page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ranInline = true";
    document.head.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "window.ranHandler = true");
    image.src = "/assets/none.png";
    document.body.append(image);
    return Object.keys(window).filter((key) => key.startsWith("ran"));
  });

  expect(ran).toEqual([]);
  await expect.poll(() => desk.problems.join("\n")).toMatch(/inline script/);
  desk.expectProblem(/none\.png|404/);

  desk.expectProblem(/Content Security Policy|evil\.invalid/);

  const outcome = await desk.page.evaluate(async () => {
    const image = new Image();
    image.src = "http://evil.invalid/beacon.png";
    return fetch("http://evil.invalid/").then(
      () => "fetched",
      () => "refused",
    );
  });

  expect(outcome).toBe("refused");
  await expect
    .poll(() => desk.problems.filter((problem) => problem.includes("evil.invalid")).length)
    .toBeGreaterThan(1);
});

test("another site cannot show the page in a frame", async () => {
  const { context } = await lab.openDesk(hub, { login: false });
  const elsewhere = createServer((_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/html" }).end(`<iframe src="${hub.url}/"></iframe>`);
  });
  await new Promise<void>((done) => {
    elsewhere.listen(0, "127.0.0.1", done);
  });
  onTestFinished(() => void elsewhere.close());
  const page = await context.newPage();
  const complaint = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));

  await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);

  await complaint;
  expect(page.frames().filter((frame) => frame.url().startsWith(hub.url))).toEqual([]);
});
