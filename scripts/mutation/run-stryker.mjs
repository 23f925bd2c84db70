// Tries mutants by Stryker. It has no option to try some mutants of a file and not the others, so all but the wanted ones
// are marked as ignored where they are made.
import { rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { nameMutants } from "./mutants.mjs";
import { listener } from "./reporter.mjs";
import { importTool, toolPath } from "./tools.mjs";

const SANDBOX = ".cache/mutation/sandbox";
const SECOND = 1000;

/**
 * @typedef {import("./mutants.mjs").Mutant} Mutant
 * @typedef {import("./results.mjs").Result} Result
 * @param {readonly Mutant[]} wanted
 * @param {(mutant: Mutant, result: Result) => void} onResult
 */
export async function runStryker(wanted, onResult) {
  const { Stryker } = await importTool("core");
  const { Instrumenter } = await importTool("instrumenter");
  const byKey = new Map(wanted.map((mutant) => [mutant.key, mutant]));
  /** @type {Map<string, Mutant>} */
  const byId = new Map();
  const { instrument } = Instrumenter.prototype;
  Instrumenter.prototype.instrument = async function instrumentWanted(/** @type {unknown[]} */ ...args) {
    const result = await instrument.apply(this, args);
    const names = nameMutants(result.mutants);
    const mutants = result.mutants.map((/** @type {any} */ mutant, /** @type {number} */ i) => {
      const found = byKey.get(names[i]?.key ?? "");
      if (found === undefined) return { ...mutant, status: "Ignored", statusReason: "not asked for" };
      byId.set(mutant.id, found);
      return mutant;
    });
    return { ...result, mutants };
  };
  listener.onResult = (result) => {
    const mutant = byId.get(result.id);
    if (mutant !== undefined) onResult(mutant, toResult(result));
  };
  try {
    await new Stryker(optionsFor([...new Set(wanted.map(({ file }) => file))])).runMutationTest();
  } finally {
    Instrumenter.prototype.instrument = instrument;
    rmSync(SANDBOX, { recursive: true, force: true });
  }
}

/** @param {any} result @returns {Result} */
function toResult({ status, static: isStatic, killedBy, statusReason }) {
  const killer = killedBy?.[0] === undefined ? {} : { killer: testFile(killedBy[0]) };
  if (status === "Killed" || status === "Timeout") return { status, ...killer };
  if (status === "Survived" || status === "NoCoverage") return { status };
  if (isStatic === true || /static/i.test(statusReason ?? "")) return { status: "Static" };
  return { status: "Broken" };
}

/** A test's id is its file in the sandbox and its name. @param {string} id */
function testFile(id) {
  const path = id.split("#")[0] ?? "";
  return relative(resolve("."), path.replace(/^.*\/sandbox\/sandbox-[^/]+\//, ""));
}

/** @param {string[]} files */
function optionsFor(files) {
  return {
    mutate: files,
    testRunner: "vitest",
    vitest: { configFile: "vitest.mutation.config.ts", related: true },
    plugins: [toolPath("vitest-runner", "dist/src/index.js"), resolve("scripts/mutation/reporter.mjs")],
    reporters: ["telling"],
    coverageAnalysis: "perTest",
    // What only runs while a file is loaded would need every test in a fresh process.
    ignoreStatic: true,
    concurrency: Number(process.env["MUTATE_WORKERS"] ?? 1),
    timeoutMS: 15 * SECOND,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 30,
    tempDirName: SANDBOX,
    ignorePatterns: [".cache", "dist", "docs", "coverage"],
    disableTypeChecks: false,
    // Stryker would rewrite tsconfig.json by TypeScript's API, which TypeScript 7 does not have.
    tsconfigFile: "no-tsconfig.json",
    allowConsoleColors: false,
    logLevel: "warn",
    fileLogLevel: "off",
  };
}
