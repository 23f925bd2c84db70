// Installs the agent CLIs that `npm run test:clients` drives, each at one version and in a folder of its own, below
// HUDDLE_CLIENTS_DIR or ~/.cache/huddle-clients. They are large and belong to no build of Huddle. What is there already
// is left alone. Usage: node scripts/install-clients.mjs [name ...] [--list]
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { clientPrograms, clientsFolder, programPath } from "./client-programs.mjs";

const MINUTES = 60_000;
const INSTALL_LIMIT = 15 * MINUTES;
/** What a CLI writes as it is installed; opencode makes folders for its settings, its data and its temporary files. */
const ELSEWHERE = "elsewhere";

const args = process.argv.slice(2);
const onlyList = args.includes("--list");
const names = args.filter((arg) => !arg.startsWith("--"));
const unknown = names.find((name) => !clientPrograms.some((program) => program.name === name));
if (unknown !== undefined)
  refuse(
    `There is no client named "${unknown}". There are: ${clientPrograms.map(({ name }) => name).join(", ")}.`,
  );
const wanted = clientPrograms.filter(({ name, optional }) =>
  names.length > 0 ? names.includes(name) : !optional,
);

const missing = wanted.filter((program) => installedVersion(program) !== program.version);
if (!onlyList) {
  await refuseWithoutRoom(missing);
  for (const program of missing) await install(program);
}
for (const program of wanted) {
  const version = installedVersion(program);
  const state = version === program.version ? programPath(program) : `not installed (${version ?? "none"})`;
  console.log(`${`${program.name} ${program.version}`.padEnd(28)} ${state}`);
}

/** @typedef {import("./client-programs.mjs").ClientProgram} ClientProgram */

/** The version that is there and whole; undefined when it is not. @param {ClientProgram} program */
function installedVersion(program) {
  try {
    const manifest = join(clientsFolder(), program.name, "node_modules", program.package, "package.json");
    accessSync(programPath(program), constants.X_OK);
    return String(JSON.parse(readFileSync(manifest, "utf8")).version);
  } catch {
    return undefined;
  }
}

/** @param {readonly ClientProgram[]} programs */
async function refuseWithoutRoom(programs) {
  const needed = programs.reduce((sum, { megabytes }) => sum + megabytes, 0);
  if (needed === 0) return;
  const folder = clientsFolder();
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / 1e6);
  // The package cache holds a compressed copy of each.
  const asked = Math.ceil(needed * 1.5);
  if (free < asked)
    refuse(
      `${folder} has ${free} MB free; ${asked} MB are needed. Free some, or set HUDDLE_CLIENTS_DIR to a folder with room.`,
    );
}

/**
 * Installed beside its place and moved there when whole, so that an interrupted run leaves nothing half done.
 * @param {ClientProgram} program
 */
async function install(program) {
  const place = join(clientsFolder(), program.name);
  const fresh = `${place}.${process.pid}.new`;
  console.log(`Installing ${program.package}@${program.version} (about ${program.megabytes} MB) …`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  writeFileSync(
    join(fresh, "package.json"),
    `${JSON.stringify({ name: `client-${program.name}`, private: true })}\n`,
  );
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--save-exact", "--loglevel=error"];
  const command = ["install", ...flags, `${program.package}@${program.version}`];
  let failure = await run("npm", command, fresh);
  // Hundreds of megabytes from a registry: once more costs little, as what came is kept in npm's cache.
  for (let again = 0; failure !== undefined && again < 2; again++) failure = await run("npm", command, fresh);
  if (failure !== undefined) {
    rmSync(fresh, { recursive: true, force: true });
    refuse(
      `npm could not install ${program.package}@${program.version}: ${failure}\nIs the registry reachable? Then run: npm run clients:install -- ${program.name}`,
    );
  }
  rmSync(join(fresh, ELSEWHERE), { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
  renameSync(fresh, place);
  if (installedVersion(program) !== program.version)
    refuse(
      `${program.package}@${program.version} was installed, but ${programPath(program)} cannot be run: its package for this platform (${process.platform} ${process.arch}) may be missing.`,
    );
}

/** @param {string} command @param {readonly string[]} argv @param {string} cwd @returns {Promise<string | undefined>} why it failed */
function run(command, argv, cwd) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...foldersBelow(join(cwd, ELSEWHERE)) };
    const child = spawn(command, argv, {
      cwd,
      env,
      stdio: ["ignore", "inherit", "pipe"],
      timeout: INSTALL_LIMIT,
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      stderr = (stderr + chunk).slice(-4000);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : `${signal ?? `exit code ${code}`}\n${stderr.trim()}`),
    );
  });
}

/** In place of those in the person's home, which npm's own settings and cache stay in. @param {string} folder */
function foldersBelow(folder) {
  const names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"];
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name.toLowerCase());
      mkdirSync(path, { recursive: true });
      return [name, path];
    }),
  );
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
