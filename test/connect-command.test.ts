import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectCommand } from "../src/web/start/connect-command.js";

test("the command that the desk shows is the one of the README", () => {
  expect(readFileSync("README.md", "utf8")).toContain(`\n${connectCommand}\n`);
});
