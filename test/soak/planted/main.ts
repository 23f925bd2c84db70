import { plantedFaults } from "./faults.js";
import { findAll } from "./planted.js";

/*
 * While a fault is written: tries those whose name has these words, or all of a promise.
 *
 *   node scripts/run-ts.mjs test/soak/planted/main.ts "second claimer"
 *   node scripts/run-ts.mjs test/soak/planted/main.ts 6
 */

const wanted = process.argv.slice(2);
const faults = plantedFaults.filter(
  ({ name, promise }) =>
    wanted.length === 0 || wanted.some((words) => words === String(promise) || name.includes(words)),
);
const began = performance.now();
const violations = await findAll(faults, ({ name, promise }, problem) => {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${seconds} s, ${promise}, ${name}: ${problem === undefined ? "found" : "NOT FOUND"}`);
});
for (const violation of violations) console.log(`\n${violation}`);
console.log(`${faults.length - violations.length} of ${faults.length} were found.`);
process.exitCode = violations.length === 0 && faults.length > 0 ? 0 : 1;
