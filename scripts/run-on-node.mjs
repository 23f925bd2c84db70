// Runs something on another version of Node, which npm brings into .cache/: `node scripts/run-on-node.mjs 22 -- <args>`
// runs Node 22 with those arguments, and without any the unit tests.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const [version = "", separator, ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+)*$/.test(version) || (separator !== undefined && separator !== "--")) {
  console.error("Usage: node scripts/run-on-node.mjs VERSION [-- arguments of node]");
  process.exit(2);
}

const unitTests = ["scripts/run-tests.mjs", `node-${version}`, "--project", "unit*"];
const node = ensureNode(version);
// Programs that the tests start by the name `node` are of that version too.
const env = { ...process.env, PATH: `${resolve(node, "..")}:${process.env["PATH"] ?? ""}` };
const child = spawn(node, args.length === 0 ? unitTests : args, { stdio: "inherit", env });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128);
});

/** Installed beside its place and moved there when whole. @param {string} wanted */
function ensureNode(wanted) {
  const place = resolve(".cache", `node-${wanted}`);
  const program = join(place, "node_modules", "node", "bin", "node");
  if (existsSync(program)) return program;
  const fresh = `${place}.${process.pid}.new`;
  mkdirSync(fresh, { recursive: true });
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true, "allowScripts": { "node": true } }\n');
    const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", ["install", ...flags, `node@${wanted}`], {
      cwd: fresh,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0 || !existsSync(join(fresh, "node_modules", "node", "bin", "node"))) {
      throw new Error(`npm could not install node@${wanted}. Is the registry reachable?`);
    }
    rmSync(place, { recursive: true, force: true });
    renameSync(fresh, place);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return program;
}
