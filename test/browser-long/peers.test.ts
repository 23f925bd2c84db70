import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";
import { createSides, type Side } from "../fakes/hub-sides.js";
import type { Member } from "../fakes/member.js";

/* Other hubs at the desk: how each is, on the Health page, and who of them writes with whom, on the Network page. */

const yard = createHubYard();
const lab = createDeskLab();
const sides = createSides(yard);
let bmo: Side;
let r2d2: Side;
let ann: Member;
let bob: Member;

const hasMail = (member: Member) =>
  eventually(
    async () => ((await member.inbox("?wait=30")).length > 0 ? true : undefined),
    `${member.name} has mail`,
  );

beforeAll(async () => {
  ({ bmo, r2d2, ann, bob } = await sides.pairOfHubs());
  await ann.send("bob@r2d2", "Which port?", { id: "m-port" });
  await hasMail(bob);
  await bob.send("ann@bmo", "3847", { reply_to: "m-port" });
  await hasMail(ann);
});
afterAll(() => yard.clear());

test("the Health page says of each other hub whether it is reached, its clock and version, and what waits", async () => {
  const { page, shoot } = await lab.openDesk(bmo.hub, {
    place: { page: "health" },
    width: 1440,
    height: 900,
  });
  const row = page.locator(".health-peer", { hasText: "r2d2" });
  await row.waitFor();
  await expect
    .poll(() => row.textContent())
    .toMatch(/reached\s+for .*clock\s*same.*version\s*0\.1\.0.*waiting\s*0/);
  await shoot("health-peers");

  await r2d2.hub.kill();
  await ann.send("bob@r2d2", "Are you there?");
  await expect.poll(() => row.textContent()).toMatch(/not reached.*waiting\s*1, oldest/);
  await expect.poll(() => row.textContent()).toContain("ECONNREFUSED");
  await shoot("health-peers-away");

  r2d2 = await sides.startAgain(r2d2);
  await expect.poll(() => row.textContent(), { timeout: 100_000 }).toMatch(/✓?\s*reached.*waiting\s*0/);
}, 300_000);

test("the Network page shows who is on another hub as such, in the table and in the graph", async () => {
  const { page, shoot } = await lab.openDesk(bmo.hub, {
    place: { page: "network" },
    width: 1440,
    height: 860,
  });
  const row = page.locator('tr[data-pair="ann bob@r2d2"]');
  await row.waitFor();
  expect(await row.locator(".who--peer .who__name").textContent()).toBe("bob@r2d2");
  expect(await row.locator(".who--peer").getAttribute("title")).toBe("on the hub r2d2");
  await page.locator('tr[data-pair="bob@r2d2 ann"]').waitFor();
  await page.locator(".graph-node--peer", { hasText: "bob@r2d2" }).waitFor();
  await shoot("network-peers");
});

test.each([
  ["dark", 1280, "health"],
  ["light", 390, "health"],
  ["light", 1280, "network"],
  ["dark", 390, "network"],
] as const)("people with disabilities can use it, %s, %i wide: %s", async (theme, width, name) => {
  const { page, shoot } = await lab.openDesk(bmo.hub, { place: { page: name }, theme, width });
  const first = page.locator(name === "health" ? ".health-peer" : ".who--peer").first();
  await first.scrollIntoViewIfNeeded();
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await shoot(`${name}-peers-${theme}-${width}`);
});
