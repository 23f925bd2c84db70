import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { openPane } from "../../../test/fakes/scripted-pane.js";
import { look } from "./pane.js";
import { cancelByEscape } from "./press-escape.js";

/** Longer than it takes for a second and a third Escape. */
const STILL_MS = 4000;

test("a turn that goes on gets Escape again, a screen that hangs does not", {
  timeout: 300_000,
}, async () => {
  const { pane, type, keys } = await openPane("claude");
  type("MSG_TEST_0000beef: !silent");
  keys("Enter");
  await expect.poll(async () => (await look(pane)).reading.state, { timeout: PATIENCE_MS }).toBe("busy");
  const { capture } = pane.tmux;
  let hung: Awaited<ReturnType<typeof capture>>;
  let isHung = true;
  const pressed: string[] = [];
  const tmux = {
    ...pane.tmux,
    async capture(...args: Parameters<typeof capture>) {
      if (!isHung) return capture(...args);
      hung ??= await capture(...args);
      return hung;
    },
    // None of them reaches it.
    async sendKeys(_: string, ...all: readonly string[]) {
      pressed.push(...all);
      return true;
    },
  };

  let isOpen = true;
  await cancelByEscape({ ...pane, tmux }, () => isOpen);
  await sleep(STILL_MS);
  expect(pressed).toEqual(["Escape"]);

  isHung = false;
  await expect.poll(() => pressed.length, { timeout: PATIENCE_MS }).toBe(3);
  isOpen = false;
});

test("a tmux that does not answer the first look is asked again, and Escape is pressed then", {
  timeout: 300_000,
}, async () => {
  const { pane, type, keys } = await openPane("claude");
  type("MSG_TEST_0000beef: !silent");
  keys("Enter");
  await expect.poll(async () => (await look(pane)).reading.state, { timeout: PATIENCE_MS }).toBe("busy");
  let failures = 2;
  const { capture } = pane.tmux;
  const tmux = {
    ...pane.tmux,
    capture: async (...args: Parameters<typeof capture>) => {
      failures -= 1;
      if (failures >= 0) throw new Error("tmux capture-pane failed");
      return capture(...args);
    },
  };

  let isOpen = true;
  await cancelByEscape({ ...pane, tmux }, () => isOpen);

  await expect.poll(async () => (await look(pane)).reading.state, { timeout: PATIENCE_MS }).toBe("ready");
  isOpen = false;
});
