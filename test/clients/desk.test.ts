import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ask, hold, say } from "../../src/selftest/scripted-model/step.js";
import { createDeskLab } from "../fakes/desk-lab.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { openOwnHouse } from "./house.js";
import { wholeMatrix } from "./sets.js";

/* A vendor's CLI at the desk, in a real browser: the person writes to it, allows what it asks for, watches and interrupts it. */

const lab = createDeskLab();
afterAll(lab.clear);

/** What the desk shows came from the hub, whose agents `hosted.test.ts` tries with all vendors. */
test.each(wholeMatrix ? [claude, codex] : [claude])(
  "$name is told, allowed, watched and interrupted from the desk",
  async (client) => {
    const house = await openOwnHouse([client]);
    const { model } = house;
    model.on(/make it so/, [ask("touch made-at-the-desk"), say("It is made.")]);
    model.on(/a long story/, [say("Once upon a time there was a heron."), hold("never")]);
    model.on(/stop that/, [say("I have stopped.")]);
    const worker = await house.spawn(client, "acp", { name: "worker" });
    const { page } = await lab.openDesk(house.hub(), { place: { page: "agent", name: worker.name } });
    const input = page.getByLabel("Message to worker");
    const write = async (text: string) => {
      await input.fill(text);
      await input.press("Enter");
    };

    await write("worker, make it so");
    await page
      .getByRole("link", { name: /Needs you/ })
      .first()
      .click();
    const card = page.locator("[data-need]").first();
    await card.getByText("touch made-at-the-desk").first().waitFor({ timeout: 60_000 });
    expect(existsSync(join(worker.project, "made-at-the-desk"))).toBe(false);
    await card.getByRole("button", { name: /^Allow once/ }).click();
    await eventually("the file is made", () =>
      Promise.resolve(existsSync(join(worker.project, "made-at-the-desk")) || undefined),
    );

    await page
      .getByRole("link", { name: /worker/ })
      .first()
      .click();
    await page.getByText("It is made.").waitFor({ timeout: 60_000 });
    await write("worker, tell me a long story");
    // It is still at it: what stands there came over the live channel.
    await page.getByText("Once upon a time there was a heron.").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Interrupt", exact: true }).first().click();
    await write("worker, stop that");
    await page.getByText("I have stopped.").waitFor({ timeout: 60_000 });
    await page.getByText("Interrupted by you").first().waitFor();
    expect(await page.getByText("Once upon a time there was a heron.").count()).toBe(1);
  },
);
