import { expect, test } from "vitest";
import { vendorOfCli } from "../vendors/vendors.js";
import { restOf } from "./follow-turn.js";

test("a command of codex that shows no end yet keeps its turn open for longer", () => {
  const { screen } = vendorOfCli("codex");
  const running = ["• Running touch approved.txt", ""];
  expect(restOf(screen, running)).toBeGreaterThan(
    restOf(screen, ["• Ran touch approved.txt", "  └ (no output)", ""]),
  );
  expect(restOf(screen, [...running, "• The file is made."])).toBe(restOf(screen, ["• The file is made."]));
  expect(restOf(screen, [...running, "■ Conversation interrupted - use /feedback"])).toBe(restOf(screen, []));
});
