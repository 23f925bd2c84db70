import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { type Guise, openPane, type TestPane } from "../../../test/fakes/scripted-pane.js";
import { findTurn } from "./find-turn.js";

const timeout = 300_000;
const tag = "MSG_ANN_ab12cd34";
const guises: Guise[] = ["claude", "codex"];

const bare = (text: string) => text.replaceAll(/\s/g, "");

async function send(test: TestPane, line: string) {
  test.type(line);
  // A long path makes it wrap.
  await vi.waitUntil(() => bare(test.screen()).includes(bare(line)), { timeout: PATIENCE_MS, interval: 20 });
  test.keys("Enter");
  await vi.waitUntil(() => test.sent().length > 0, { timeout: PATIENCE_MS, interval: 20 });
}

const shows = (test: TestPane, words: string) =>
  vi.waitUntil(() => test.screen().includes(words), { timeout: PATIENCE_MS, interval: 20 });

test.each(guises)(
  "a turn on the screen of %s is found while it runs, and once it is over",
  { timeout },
  async (guise) => {
    const pane = await openPane(guise);
    const gate = join(pane.folder, "gate");
    await send(pane, `${tag}: !say begun !gate ${gate} !say through`);
    await shows(pane, "begun");

    expect((await findTurn(pane.pane, tag))?.reading.state).toBe("busy");
    writeFileSync(gate, "");
    await shows(pane, "through");
    await vi.waitUntil(async () => (await findTurn(pane.pane, tag))?.reading.state === "ready", {
      timeout: PATIENCE_MS,
      interval: 50,
    });
  },
);

test.each(guises)(
  "a line that is not on the screen of %s, or not sent, tells nothing",
  { timeout },
  async (guise) => {
    const pane = await openPane(guise);
    expect(await findTurn(pane.pane, tag)).toBeUndefined();
    await send(pane, "something else");
    expect(await findTurn(pane.pane, tag)).toBeUndefined();
    pane.type(`${tag}: !say never`);
    await shows(pane, "never");
    expect(await findTurn(pane.pane, tag)).toBeUndefined();
  },
);
