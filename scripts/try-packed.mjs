// What somebody does who has only the tarball: installs it into an empty folder with npm, runs the demo, and runs it once more
// through npx. On the Node that runs this script; needs the npm registry. `node scripts/run-on-node.mjs 24 -- scripts/try-packed.mjs`
// tries another Node.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const place = mkdtempSync(join(tmpdir(), "huddle-try-packed-"));
const installed = join(place, "installed");
const huddle = join(installed, "node_modules", ".bin", "huddle");
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
  HOME: join(place, "home"),
  HUDDLE_HOME: join(place, "hub"),
  npm_config_cache: process.env["npm_config_cache"] ?? join(place, "npm-cache"),
};

try {
  for (const folder of ["home", "installed", "through-npx"]) mkdirSync(join(place, folder));
  const packed = run("npm", ["pack", "--json", "--pack-destination", place], process.cwd());
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf("[\n")));
  const tarball = join(place, filename);

  writeFileSync(join(installed, "package.json"), '{ "private": true }\n');
  run("npm", ["install", "--no-audit", "--no-fund", tarball], installed);
  const { version, node } = JSON.parse(run(huddle, ["version", "--json"], installed));
  if (node !== process.versions.node)
    throw new Error(`it runs on Node ${node}, not ${process.versions.node}`);
  const { ok, scenes } = JSON.parse(run(huddle, ["demo", "--fast", "--json"], installed));
  if (!ok) throw new Error("the demo did not see every step");

  const through = run(
    "npx",
    ["--yes", "--package", tarball, "huddle", "version"],
    join(place, "through-npx"),
  );
  if (!through.includes(`huddle ${version} `)) throw new Error(`npx ran something else: ${through}`);
  console.log(`huddle ${version} on Node ${node}: installed, demo (${scenes.length} scenes), npx`);
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
  // Such as a flag that this version of Node does not know.
  if (program === huddle && stderr !== "") throw new Error(`huddle ${args.join(" ")} complains: ${stderr}`);
  return stdout;
}
