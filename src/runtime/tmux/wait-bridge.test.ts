import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { scriptedPaneLaunch } from "../../../test/fakes/scripted-pane.js";
import { toolsListedMark } from "../../model/tools-listed-mark.js";
import { createBridgeWait, forgetBridge } from "./wait-bridge.js";

const longMs = 600_000;
const { signal } = new AbortController();

function openBridge() {
  const launch = scriptedPaneLaunch("claude");
  return { launch, mark: join(launch.folder, toolsListedMark) };
}

test("a line is not put in before the tools are listed, and not sent right then", async () => {
  const { launch, mark } = openBridge();
  let may = false;
  const waiting = createBridgeWait(
    launch,
    longMs,
  )(signal).finally(() => {
    may = true;
  });
  await nextTick();
  expect(may).toBe(false);
  const before = performance.now();
  writeFileSync(mark, "");
  expect(await waiting).toBeGreaterThan(before);
});

test("where they were listed long ago a line may be sent at once, and is asked about once only", async () => {
  const { launch, mark } = openBridge();
  writeFileSync(mark, "");
  utimesSync(mark, 1, 1);
  const wait = createBridgeWait(launch, longMs);
  const sendAfter = await wait(signal);
  expect(sendAfter).toBeLessThanOrEqual(performance.now());
  await forgetBridge(launch);
  expect(await wait(signal)).toBe(sendAfter);
});

test("tools that do not come keep no line for ever, nor does a CLI without a bridge; an ended agent waits no longer", async () => {
  const { launch } = openBridge();
  expect(await createBridgeWait(launch, 0)(signal)).toBe(0);
  expect(await createBridgeWait({ ...launch, bridge: [] }, longMs)(signal)).toBe(0);
  const ended = new AbortController();
  const waiting = createBridgeWait(launch, longMs)(ended.signal);
  ended.abort();
  await expect(waiting).rejects.toThrow();
});
