// Builds src/ into dist/. With --if-stale only if something changed since the last build, and silently if nothing did.
import { fileURLToPath } from "node:url";
import { bundlePrograms } from "./bundle-programs.mjs";
import { compile, isStale } from "./compile.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const dist = {
  project: "tsconfig.build.json",
  rootDir: "src",
  outDir: "dist",
  entry: "main.js",
  inputs: [
    "src",
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "scripts/build.mjs",
    "scripts/bundle-programs.mjs",
    "scripts/compile.mjs",
  ],
  finish: bundlePrograms,
};

if (!process.argv.includes("--if-stale") || isStale(dist)) {
  if (!(await compile(dist))) process.exit(1);
  console.log("Built dist/.");
}
