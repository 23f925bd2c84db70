// Builds src/ into dist/. With --if-stale only if something changed since the last build, and silently if nothing did. With
// --if-possible, as npm runs it after it has installed anything, it is no failure that the dev dependencies were left out.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isStale, replaceFolder } from "./replace-folder.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

/** The lockfile stands for the packages that are bundled. */
const dist = {
  outDir: "dist",
  entry: "main.js",
  inputs: [
    "src",
    "scripts",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "tsconfig.library.json",
  ],
  fill,
};

if (!process.argv.includes("--if-stale") || isStale(dist)) {
  if (!existsSync("node_modules/rolldown")) {
    console.error("Not built: the dev dependencies are missing. Install them with: npm ci --include=dev");
    process.exit(process.argv.includes("--if-possible") ? 0 : 1);
  }
  if (!(await replaceFolder(dist))) process.exit(1);
  console.log("Built dist/.");
}

/** The bundler only removes types; the compiler checks them meanwhile. @param {string} folder */
async function fill(folder) {
  // Loaded only now: a build that is not stale needs none of the dev dependencies.
  const [{ bundleHub }, { bundleLibrary }, { bundlePrograms }, { bundleWeb }, { compile }, { compressWeb }] =
    await Promise.all([
      import("./bundle-hub.mjs"),
      import("./bundle-library.mjs"),
      import("./bundle-programs.mjs"),
      import("./bundle-web.mjs"),
      import("./compile.mjs"),
      import("./compress-web.mjs"),
    ]);
  const [hasGoodTypes, hasLibrary] = await Promise.all([
    compile("tsconfig.build.json"),
    bundleLibrary(folder),
    bundleHub(folder),
    bundlePrograms(folder),
    bundleWeb(folder).then(() => compressWeb(folder)),
  ]);
  return hasGoodTypes && hasLibrary;
}
