// Checks the walls of .dependency-cruiser.cjs. A cruiser that parses nothing finds nothing, so this also asserts that it
// saw every source file and followed imports.
import { createRequire } from "node:module";
import { listFiles } from "./list-files.mjs";

parseJsxInTsxFiles();
const { cruise } = await import("dependency-cruiser");
const { default: extractOptions } = await import("dependency-cruiser/config-utl/extract-depcruise-options");

const { output } = await cruise(["src"], await extractOptions("./.dependency-cruiser.cjs"));
if (typeof output === "string") throw new Error("The cruiser answered with text instead of its result.");

const problems = [...findViolations(output), ...findBlindness(output)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(
  `${output.modules.length} modules, ${output.summary.totalDependenciesCruised ?? 0} imports, no wall crossed`,
);

/** The cruiser asks swc for plain TypeScript, in which JSX is a syntax error. */
function parseJsxInTsxFiles() {
  const swc = loadSwc();
  if (swc === undefined) return;
  const { parseFileSync } = swc;
  swc.parseFileSync = (/** @type {string} */ path, /** @type {object} */ options) =>
    parseFileSync(path, { ...options, tsx: path.endsWith(".tsx") });
}

function loadSwc() {
  try {
    return createRequire(import.meta.url)("@swc/core");
  } catch {
    return undefined; // Then the cruiser sees nothing, and findBlindness says so.
  }
}

/** @param {import("dependency-cruiser").ICruiseResult} result */
function findViolations({ summary }) {
  const comments = new Map(summary.ruleSetUsed?.forbidden?.map(({ name, comment }) => [name, comment]));
  return summary.violations.map(({ rule, from, to, cycle }) => {
    const way = [from, ...(cycle?.map(({ name }) => name) ?? (to === from ? [] : [to]))].join(" -> ");
    return `${rule.name}: ${way}\n  ${comments.get(rule.name)}`;
  });
}

/** @param {import("dependency-cruiser").ICruiseResult} result */
function findBlindness({ modules }) {
  const hint =
    "With TypeScript 7 and without @swc/core the cruiser passes on zero modules: is @swc/core installed?";
  const seen = new Set(modules.map(({ source }) => source));
  const sources = listFiles(["src"], /(?<!\.test)\.tsx?$/);
  const missed = sources.filter((path) => !seen.has(path));
  const followed = modules
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ couldNotResolve }) => !couldNotResolve);

  if (sources.length === 0) return ["There are no sources under src/ to check."];
  if (missed.length > 0)
    return [`The cruiser missed ${missed.length} of ${sources.length} sources. ${hint}\n  ${missed[0]} …`];
  if (followed.length === 0) return [`The cruiser followed no import in ${sources.length} sources. ${hint}`];
  return [];
}
