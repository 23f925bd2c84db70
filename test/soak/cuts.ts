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
const BEGIN = "<!-- cuts: written by npm run soak cuts=1 -- --write -->";
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
    return { counts: { count, slices: 1 }, violations, rows };
  },
  describe: (all) =>
    `under each of three runtimes a kill in each of ${cutStates.length} states of an agent's driver, ${total(all, "slices")} times over, and ${total(all, "count")} more at random`,
};

/** A row for each state under each runtime: the messages that it was killed with, and the way that most of them went. */
export function writeCutTable({ slices, commit, at }: PartResult): void {
  const page = readFileSync(PAGE, "utf8");
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the table: ${BEGIN} … ${END}`);
  const rows = slices.flatMap(({ rows = [] }) => rows.map((row) => JSON.parse(row) as CutRow));
  const lines = cutStates.flatMap((state) =>
    runtimeKinds.map((runtime) =>
      lineOf(rows.filter((row) => row.state === state && row.runtime === runtime)),
    ),
  );
  const table = [
    `${at.slice(0, 10)}, commit \`${commit}\`: ${rows.length} messages, each with an end and its evidence.`,
    "",
    "| Killed when | Runtime | Messages | The way of most | Evidence |",
    "|---|---|---|---|---|",
    ...lines.filter((line) => line !== undefined),
  ];
  writeFileSync(PAGE, `${page.slice(0, start)}${BEGIN}\n\n${table.join("\n")}\n\n${page.slice(end)}`);
}

function lineOf(rows: readonly CutRow[]): string | undefined {
  // What was sent after the kill counts where nothing was there before.
  const before = rows.filter(({ words }) => !words.startsWith("!say after"));
  const counted = before.length > 0 ? before : rows;
  const ways = groupBy(counted, ({ way, evidence }) => `${way} | ${evidence}`);
  const [most] = [...ways].toSorted(([, a], [, b]) => b.length - a.length);
  const [first] = counted;
  if (most === undefined || first === undefined) return undefined;
  return `| ${first.state} | ${first.runtime} | ${counted.length} | ${most[0]} |`;
}
