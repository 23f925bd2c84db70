import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePage } from "./bench/render-table.js";
import type { Row } from "./bench/row.js";
import { tempFolder } from "./fakes/temp-folder.js";

const page = `# Numbers
<!-- bench:start -->
the hub's own
<!-- bench:end -->
between
<!-- bench-clis:start -->
<!-- bench-clis:end -->
after
`;
const row = (what: string, ours: number): Row => ({
  what,
  against: "by hand",
  unit: "ms",
  anchor: 10,
  ours,
  ratio: ours / 10,
  low: ours / 10,
  high: ours / 10,
  limit: { on: "ratio", is: "at most", bound: 1.1 },
  isCli: true,
});

test("CLIs that are measured one after the other share a table, each row with its run", () => {
  const file = join(tempFolder(), "page.md");
  writeFileSync(file, page);
  const write = (run: string, ...rows: Row[]) => writePage(rows, { machine: "2 cores", run }, file);

  expect(write("monday", row("codex, acp", 12), row("claude, acp", 10))).toBe(true);
  write("tuesday", row("codex, acp", 11));

  const text = readFileSync(file, "utf8");
  expect(text).toContain("the hub's own");
  expect(text.split("\n").filter((line) => line.startsWith("| c"))).toEqual([
    "| claude, acp | 10.0 ms | 10.0 ms by hand | 1.00× | ≤ 1.1× | ok | monday |",
    "| codex, acp | 11.0 ms | 10.0 ms by hand | 1.10× | ≤ 1.1× | ok | tuesday |",
  ]);
  expect(text).toMatch(/^between$[\s\S]*\| Run \|[\s\S]*^after$/m);
});

test("a page without a place for the tables is left alone", () => {
  const file = join(tempFolder(), "page.md");
  writeFileSync(file, "nothing");
  expect(writePage([row("codex, acp", 12)], { machine: "", run: "" }, file)).toBe(false);
  expect(readFileSync(file, "utf8")).toBe("nothing");
});
