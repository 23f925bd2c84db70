// Fails for source files above 400 lines, and prints the median: the house style asks for about 80.
import { readFileSync } from "node:fs";
import { listFiles } from "./list-files.mjs";

const LIMIT = 400;

const sizes = listFiles(["src", "test", "scripts"], /\.(ts|tsx|cts|mts|js|mjs|css)$/)
  .filter((path) => !path.includes("/node_modules/"))
  .map((path) => ({ path, lines: countLines(path) }))
  .sort((a, b) => a.lines - b.lines);

const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
const largest = sizes.at(-1);
console.log(
  `${sizes.length} files, median ${median} lines, largest ${largest?.lines ?? 0} (${largest?.path ?? "none"})`,
);

const tooLong = sizes.filter(({ lines }) => lines > LIMIT);
for (const { path, lines } of tooLong)
  console.error(`${path} has ${lines} lines; the limit is ${LIMIT}. Split it.`);
if (tooLong.length > 0) process.exit(1);

/** @param {string} path */
function countLines(path) {
  return readFileSync(path, "utf8").replace(/\n$/, "").split("\n").length;
}
