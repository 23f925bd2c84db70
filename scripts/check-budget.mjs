// Builds the desk into a folder of its own and fails if a browser would have to load more of it than was decided.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWeb } from "./bundle-web.mjs";
import { measureBundle } from "./measure-bundle.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

mkdirSync(".cache", { recursive: true });
const folder = mkdtempSync(join(".cache", "budget-"));
try {
  await bundleWeb(folder);
  const measured = measureBundle(join(folder, "web"));
  console.log(measured.map(({ name, bytes, limit }) => `${name} ${kb(bytes)} of ${kb(limit)}`).join(", "));
  const over = measured.filter(({ bytes, limit }) => bytes > limit);
  for (const { name, bytes, limit } of over)
    console.log(
      `${name} has ${kb(bytes)} of gzipped script, and may have ${kb(limit)}. Load less, or later.`,
    );
  if (over.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {number} bytes */
function kb(bytes) {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
