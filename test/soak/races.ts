import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, type Part, total } from "./part.js";
import { runTests } from "./run-tests.js";

/*
 * A person types at any moment around a delivery into the pane of a real CLI, 200 times with each. The CLIs are those that
 * `npm run clients:install` brings. HUDDLE_RACES is another number with each, HUDDLE_RACES_CLIS names other CLIs: `qwen,droid`.
 */

const CLIS = (process.env["HUDDLE_RACES_CLIS"] ?? "claude,codex,gemini,qwen,droid,opencode,copilot").split(
  ",",
);
const RACES = Number(process.env["HUDDLE_RACES"] ?? "200");

export const races: Part = {
  name: "races",
  promise: "–",
  title: "a person types during delivery",
  count: CLIS.length * RACES,
  slice: RACES,
  async run({ seed, from, count }) {
    const cli = CLIS[Math.floor(from / RACES) % CLIS.length] ?? "claude";
    const folder = mkdtempSync(join(tmpdir(), "races-"));
    const result = join(folder, "result.json");
    try {
      const violations = await runTests({
        file: "test/clients/races.test.ts",
        options: ["--config", "vitest.clients.config.ts", "--mode", "all", "--project", cli],
        env: { HUDDLE_RACES: String(count), HUDDLE_RACES_RESULT: result, SEED: String(seed) },
      });
      if (!existsSync(result)) return { counts: {}, violations };
      const { counts } = JSON.parse(readFileSync(result, "utf8")) as { counts: Counts };
      return { counts, violations };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  describe: (all) =>
    `${total(all, "races")} races with ${all.length} CLIs, ${total(all, "mixed")} mixed, ${total(all, "lost")} words lost, ` +
    `${total(all, "twice")} sent twice; of ${total(all, "programs")} words that a program typed ${total(all, "programsMixed")} mixed`,
};
