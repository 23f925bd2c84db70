import { expect, test } from "vitest";
import { capturedScreen } from "../../../test/fakes/captured-screens.js";
import type { CliName } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { agentWords, appended, transcriptAfter } from "./transcript.js";

const tag = "MSG_JANUS_DEV_ab12cd34";

test.each<CliName>(["codex", "gemini", "qwen", "opencode"])("what %s answered to our line", (cli) => {
  const { screen } = capturedScreen(cli, "tag-sent");
  const rule = vendorOfCli(cli).screen;
  const transcript = transcriptAfter(rule, screen, rule.findBox(screen), tag);
  expect(agentWords(rule, transcript).join("\n")).toContain(`ECHO: ${tag}: please check the build`);
  expect(agentWords(rule, transcript).join("\n")).not.toContain("chunk");
});

test("before the answer there are no words", () => {
  const { screen } = capturedScreen("claude", "busy-after-paste");
  const rule = vendorOfCli("claude").screen;
  expect(agentWords(rule, transcriptAfter(rule, screen, rule.findBox(screen), "SLOW 40"))).toEqual([]);
});

test.each([
  [[], ["a", "b"], "a\nb"],
  [["a", "b"], ["a", "b"], ""],
  [["a", "b"], ["a", "bc", "d"], "c\nd"],
  [["a", "b", "c"], ["b", "c", "d"], "\nd"],
  [["a", "b", "c"], ["c", "d", "e"], "\nd\ne"],
  [["a"], ["x", "y"], "\nx\ny"],
])("after %j, %j adds %j", (before, after, added) => {
  expect(appended(before, after)).toBe(added);
});
