import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Found = { violations: { id: string; impact: string | null; help: string; nodes: { html: string }[] }[] };

/** What axe finds serious or critical for people with disabilities, a line each. The policy of the page does not bind the test. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ["violations"] })`)) as Found;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
