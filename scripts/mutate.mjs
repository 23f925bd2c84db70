// Do the tests bite? Changes the code in one place at a time and runs the tests that cover it: they should fail.
// Usage: npm run mutate -- [part …] [--sample 300] [--seed 1] [--minutes 35] [--fresh] [--list]
//   part       journal, claims, auth, hub, delivery, policies; all when none is named
//   --sample   tries that many, as many of each part as of the others; the same seed picks the same ones again
//   --minutes  stops after that long; the next run goes on from there
//   --fresh    forgets earlier results
//   --list     prints what is known and tries nothing
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { whyExcluded } from "./mutation/exclusions.mjs";
import { listMutants } from "./mutation/mutants.mjs";
import { filesToMutate, parts } from "./mutation/parts.mjs";
import { openResults } from "./mutation/results.mjs";
import { runStryker } from "./mutation/run-stryker.mjs";
import { pickSample } from "./mutation/sample.mjs";
import { render, summarize } from "./mutation/summary.mjs";
import { installTools } from "./mutation/tools.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const FOLDER = join(".cache", "mutation");
const PROGRESS_MS = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string" },
    fresh: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const unknown = positionals.find((part) => !(part in parts));
if (unknown !== undefined) {
  console.error(`There is no part named "${unknown}". There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

installTools();
if (values.fresh) rmSync(join(FOLDER, "results.jsonl"), { force: true });
const results = openResults();
const all = await listMutants(filesToMutate(positionals));
const counted = all.filter((mutant) => whyExcluded(mutant) === undefined);
const sample =
  values.sample === undefined
    ? counted
    : pickSample(counted, { count: Number(values.sample), seed: Number(values.seed) });
const known = sample.filter((mutant) => results.find(mutant) !== undefined);
const open = sample.filter((mutant) => results.find(mutant) === undefined);
console.log(
  `${all.length} mutants, ${all.length - counted.length} excluded, ${sample.length} chosen, ${known.length} known, ${open.length} to try`,
);

if (open.length > 0 && !values.list) await tryAll();
report();

async function tryAll() {
  const began = performance.now();
  let [tried, survived] = [0, 0];
  const progress = setInterval(() => {
    const each = (performance.now() - began) / Math.max(1, tried);
    const left = tried === 0 ? "" : `, ${Math.ceil(((open.length - tried) * each) / 60_000)} min left`;
    console.log(`mutants ${tried}/${open.length}, ${survived} not killed${left}`);
  }, PROGRESS_MS);
  const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
  const limit = Number.isFinite(minutes) ? setTimeout(stopEarly, minutes * 60_000) : undefined;
  try {
    await runStryker(open, (mutant, result) => {
      results.add(mutant, result);
      tried++;
      if (result.status === "Survived" || result.status === "NoCoverage") survived++;
    });
  } finally {
    clearInterval(progress);
    clearTimeout(limit);
  }
}

/** Everything so far is stored; Stryker's runners end with us. */
function stopEarly() {
  console.log("The time is up.");
  report();
  process.kill(process.pid, "SIGINT");
}

function report() {
  const found = sample.flatMap((mutant) => results.find(mutant) ?? []);
  const summary = summarize(found);
  console.log(render(summary));
  const others = found.length - summary.total.mutants;
  if (others > 0)
    console.log(`${others} could not be tried: they only run while a file is loaded, or broke the run`);
  if (found.length < sample.length) console.log(`${sample.length - found.length} are still to be tried`);
  mkdirSync(FOLDER, { recursive: true });
  const { sample: size, seed } = values;
  const facts = { at: new Date().toISOString(), tree: results.tree, sample: size, seed, of: sample.length };
  writeFileSync(join(FOLDER, "score.json"), `${JSON.stringify({ ...facts, ...summary }, null, 2)}\n`);
}
