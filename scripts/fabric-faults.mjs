// Runs the tests of docs/promises.md's "Faults of the fabric" and prints a line for each fault: what it came to, and how long its tests took.
// Usage: npm run faults
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** `| fault | [name](../path) "how its name begins"; … |` */
const text =
  readFileSync("docs/promises.md", "utf8").split("## Faults of the fabric")[1]?.split("\n## ")[0] ?? "";
const rows = [...text.matchAll(/^\| ([^|]+) \| (\[.+) \|$/gm)].map(([, fault = "", cell = ""]) => ({
  fault,
  tests: [...cell.matchAll(/\[[^\]]+\]\(\.\.\/([^)]+)\) "([^"]+)"/g)].map(([, file = "", name = ""]) => ({
    file: resolve(file),
    name,
  })),
}));
const files = [...new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)))];

const folder = mkdtempSync(join(tmpdir(), "huddle-faults-"));
const found = join(folder, "results.json");
spawnSync(
  "npx",
  ["vitest", "run", ...files, "--reporter=default", "--reporter=json", `--outputFile.json=${found}`],
  {
    stdio: ["ignore", "inherit", "inherit"],
  },
);
/** @type {{ testResults: { name: string, assertionResults: { title: string, status: string, duration?: number }[] }[] }} */
const { testResults } = JSON.parse(readFileSync(found, "utf8"));
rmSync(folder, { recursive: true });

let isGood = true;
for (const { fault, tests } of rows) {
  const results = tests.flatMap(({ file, name }) => {
    const all = testResults.find((one) => one.name === file)?.assertionResults ?? [];
    const own = all.filter(({ title }) => title.startsWith(name));
    return own.length === 0 ? [{ title: name, status: "not there", duration: 0 }] : own;
  });
  const bad = results.filter(({ status }) => status !== "passed");
  isGood &&= bad.length === 0;
  const seconds = results.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000;
  const said =
    bad.length === 0
      ? `${results.length} passed`
      : bad.map(({ title, status }) => `${status}: ${title}`).join("; ");
  console.log(
    `${bad.length === 0 ? "ok " : "NOT"}  ${fault.padEnd(64)} ${seconds.toFixed(1).padStart(6)} s  ${said}`,
  );
}
process.exit(isGood ? 0 : 1);
