import { expect, test } from "vitest";
import { capturedScreen } from "../../../test/fakes/captured-screens.js";
import type { CliName } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { endOfTurn } from "./follow-turn.js";
import { readScreen } from "./read-screen.js";
import { transcriptAfter } from "./transcript.js";

function readCaptured(cli: CliName) {
  const rule = vendorOfCli(cli).screen;
  const { screen } = capturedScreen(cli, "error-usage-limit");
  const reading = readScreen(rule, screen);
  const box = "box" in reading ? reading.box : undefined;
  const transcript = transcriptAfter(rule, screen, box, "MSG_X_0000000");
  return { rule, screen, box, transcript, end: endOfTurn(rule, transcript, "", false) };
}

/** As much of it as each screen says: some without the day, which is then the next. */
test.each([
  ["claude", /^You've hit your limit · resets 1:15pm/, /T13:15:00/],
  ["codex", /^You’ve hit your usage limit\./, /:11:00/],
  ["gemini", /exhausted your daily quota/, undefined],
  ["qwen", /^Quota exhausted: You have exceeded/, /^2026-11-17T13:15:41/],
  ["droid", /You have exceeded the 5-hour usage quota/, /^2026-11-17T13:12:34/],
] as const)("%s's screen says that the usage limit is reached", (cli, words, until) => {
  const { end } = readCaptured(cli);
  expect(end).toMatchObject({ stop: "error", limit: { words: expect.stringMatching(words) as unknown } });
  const at = end.limit?.until;
  if (until === undefined) expect(at).toBeUndefined();
  else expect(new Date(at ?? 0).toISOString()).toMatch(until);
});

test("only the CLI's own row says so, not what an agent writes", () => {
  const { rule } = readCaptured("claude");
  const rows = ["● They told me: You've hit your limit · resets 1pm (UTC)", "  You've hit your limit"];
  expect(endOfTurn(rule, rows, "", false)).toEqual({ stop: "end_turn", text: "" });
});

test("claude says when it will go on by itself", () => {
  const { rule, screen, box } = readCaptured("claude");
  expect(box).toBeDefined();
  expect(box && rule.goesOnByItself?.(screen, box)).toBe(true);
});
