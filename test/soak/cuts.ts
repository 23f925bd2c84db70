import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupBy } from "../../src/model/group-by.js";
import { runtimeKinds } from "../../src/model/hosting.js";
import type { CutRow } from "../fakes/cut-ledger.js";
import { cutStates } from "../fakes/cut-turns.js";
import { type Part, total } from "./part.js";
import { runTests } from "./run-tests.js";
import type { PartResult } from "./soak-store.js";

/* The hub is killed with an agent in each state of its driver; what became of the mail is a table in docs/testing.md. */

const PAGE = join("docs", "testing.md");
const BEGIN = "<!-- cuts: written by npm run soak cuts -- --write -->";
const END = "<!-- /cuts -->";

export const cuts: Part = {
  name: "cuts",
  promise: "5",
  title: "no turn is cut in silence",
  count: 200,
  slice: 20,
  async run({ seed, count }) {
    const folder = mkdtempSync(join(tmpdir(), "cuts-"));
    const file = join(folder, "rows");
    const env = { HUDDLE_CUTS: String(count), HUDDLE_CUT_ROWS: file, SEED: String(seed) };
    const violations = await runTests({ file: "test/e2e-long/cut-turns.test.ts", env });
    const rows = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    rmSync(folder, { recursive: true });
    return { counts: { kills: cutStates.length + count }, violations, rows };
  },
  describe: (all) =>
    `${total(all, "kills")} kills under each of three runtimes: in each of ${cutStates.length} states of an agent's driver, and at random`,
};

/** For each state the ways that most of its messages went under each runtime, one row for runtimes where they went the same. */
export function writeCutTable({ slices, commit, at }: PartResult): void {
  const page = readFileSync(PAGE, "utf8");
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the table: ${BEGIN} … ${END}`);
  const rows = slices.flatMap(({ rows = [] }) => rows.map((row) => JSON.parse(row) as CutRow));
  const lines = cutStates.flatMap((state) => {
    const found = runtimeKinds.flatMap((runtime) =>
      mostOf(rows.filter((row) => row.state === state && row.runtime === runtime)),
    );
    return [...groupBy(found, wayOf)].map(([way, alike]) => {
      const counts = alike.map(({ runtime, count, of }) => `${runtime} ${count} of ${of}`);
      return `| ${state} | ${counts.join(", ")} | ${way} |`;
    });
  });
  const broken = slices.reduce((sum, { violations }) => sum + violations.length, 0);
  const table = [
    `${at.slice(0, 10)}, commit \`${commit}\`: ${rows.length} messages, ${broken === 0 ? "each with an end and its evidence" : `and ${broken} violations`}.`,
    "",
    "| Killed when | Messages | The way of most | Evidence |",
    "|---|---|---|---|",
    ...lines,
  ];
  writeFileSync(PAGE, `${page.slice(0, start)}${BEGIN}\n\n${table.join("\n")}\n\n${page.slice(end)}`);
}

const wayOf = ({ way, evidence }: Pick<CutRow, "way" | "evidence">) => `${way} | ${evidence}`;

/** What was sent after the kill counts only where nothing was there before. */
function mostOf(rows: readonly CutRow[]): (CutRow & { count: number; of: number })[] {
  const before = rows.filter(({ words }) => !words.startsWith("!say after"));
  const counted = before.length > 0 ? before : rows;
  const [most = []] = [...groupBy(counted, wayOf).values()].toSorted((a, b) => b.length - a.length);
  return most.slice(0, 1).map((row) => ({ ...row, count: most.length, of: counted.length }));
}
