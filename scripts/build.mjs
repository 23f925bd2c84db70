// Builds src/ into dist/. With --if-stale only if something changed since the last build, and silently if nothing did.
import { fileURLToPath } from "node:url";
import { bundleHub } from "./bundle-hub.mjs";
import { bundlePrograms } from "./bundle-programs.mjs";
import { bundleWeb } from "./bundle-web.mjs";
import { compile } from "./compile.mjs";
import { compressWeb } from "./compress-web.mjs";

import { isStale, replaceFolder } from "./replace-folder.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** The lockfile stands for the packages that are bundled. */
const dist = {
  outDir: "dist",
  entry: "main.js",
  inputs: ["src", "scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"],
  fill,
};

if (!process.argv.includes("--if-stale") || isStale(dist)) {
  if (!(await replaceFolder(dist))) process.exit(1);
  console.log("Built dist/.");
}

/** The bundler only removes types; the compiler checks them meanwhile. @param {string} folder */
async function fill(folder) {
  const [hasGoodTypes] = await Promise.all([
    compile("tsconfig.build.json"),
    bundleHub(folder),
    bundlePrograms(folder),
    bundleWeb(folder).then(() => compressWeb(folder)),
  ]);
  return hasGoodTypes;
}
