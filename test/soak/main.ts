import { cuts, writeCutTable } from "./cuts.js";
import type { Part } from "./part.js";
import { parts } from "./parts.js";
import { runPart } from "./run-part.js";
import { readSoakArguments } from "./soak-arguments.js";
import { openSoakStore } from "./soak-store.js";
import { type Row, renderRow, violationsOf, writeFigures } from "./soak-table.js";

/*
 * `npm run soak`: the programs of the e2e tests with nightly counts, and other long runs. Each part is stored in .cache/soak
 * as it goes, so a run that was interrupted goes on where it was; a part that has a result for these sources is not run
 * again. Ends with 1 if any promise was broken.
 *
 *   npm run soak kills             only this part; kills=50 with another count
 *   npm run soak -- --fresh        starts over, with new seeds; SEED=… repeats a run
 *   npm run soak -- --list         shows what is there, and runs nothing
 *   npm run soak -- --write        also writes the figures into docs/promises.md, and of cuts the table in docs/testing.md
 */

const read = readSoakArguments(process.argv.slice(2), parts);
if (typeof read === "string") {
  console.error(read);
  process.exit(2);
}
const { chosen, fresh, list, write } = read;
const store = openSoakStore();
const asked = process.env["SEED"];
const seed = asked === undefined || asked === "" ? undefined : Number(asked);

if (fresh && !list) for (const { part, count } of chosen) store.forget(part, count);
for (const { part, count } of list ? [] : chosen) {
  const result = await runPart({ part, count, store, seed });
  console.log(renderRow({ part, result }));
}

const rows: Row[] = chosen.flatMap(({ part, count }) => {
  const result = store.read(part, count);
  return result === undefined ? [] : [{ part, result }];
});
const done = rows.filter(({ result }) => result.isDone);
const held = done.filter(({ result }) => violationsOf(result).length === 0);
console.log(`\n${store.folder}`);
for (const row of rows) console.log(renderRow(row));
for (const { part, count } of chosen)
  if (store.read(part, count) === undefined) console.log(`–     ${part.name} (${count}) has not run`);
console.log(`${held.length} of ${chosen.length} held`);
if (write) {
  const written = parts.flatMap((part) => resultOf(part));
  writeFigures(parts, written);
  for (const { part, result } of written) if (part === cuts) writeCutTable(result);
}
process.exitCode = held.length === (list ? done.length : chosen.length) ? 0 : 1;

/** What was chosen now, or else the result of an earlier run with the nightly count. */
function resultOf(part: Part): Row[] {
  const count = chosen.find((choice) => choice.part === part)?.count ?? part.count;
  const result = store.read(part, count);
  return result?.isDone === true ? [{ part, result }] : [];
}
