// What stands in the places that a run shares with others: homes, folders for temporary files, the checkout, mounts. It is listed before a run
// and after it; what is new may be the run's (usual.mjs and judge-things.mjs say what counts).
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { hasFiles } from "./files.mjs";
import { listLoopDevices, listMounts } from "./mounts.mjs";

/**
 * @typedef {"home" | "temporary" | "namespaces" | "checkout" | "cache" | "mounts" | "disks"} Place
 * @typedef {object} Thing
 * @property {Place} place
 * @property {string} name  within the place
 * @property {string} says  what is wrong with it, should it be a leftover
 * @property {string} text  wherever a run's folder may be named
 * @property {number} [owner] the user who owns it
 */

/**
 * By what identifies each.
 * @param {string} project the checkout
 * @returns {Map<string, Thing>}
 */
export function listThings(project) {
  const things = [
    ...listHome(homedir()),
    ...[...new Set([tmpdir(), "/tmp", "/dev/shm"])].flatMap((folder) => listFolder("temporary", folder)),
    ...listFolder("namespaces", "/run/netns"),
    ...listCheckout(project),
    ...listFolder("cache", join(project, ".cache")),
    ...listMounted(),
    ...listLoopDevices().map(({ device, file }) => ({
      place: /** @type {const} */ ("disks"),
      name: file,
      text: file,
      says: `Left attached: ${device} (${file})`,
    })),
  ];
  return new Map(things.map((thing) => [`${thing.place} ${thing.says}`, thing]));
}

/** Where programs keep a folder each, below a home. */
const shelves = ["", ".config", ".local/share", ".local/state"];

/** As far down as a program that was never used there would show. @param {string} home @returns {Thing[]} */
function listHome(home) {
  return shelves.flatMap((shelf) =>
    namesIn(join(home, shelf)).map((name) => thingAt("home", join(home, shelf, name), join(shelf, name))),
  );
}

/** @param {Place} place @param {string} folder @returns {Thing[]} */
function listFolder(place, folder) {
  return namesIn(folder).map((name) => thingAt(place, join(folder, name), name));
}

/** @param {Place} place @param {string} path @param {string} name @returns {Thing} */
function thingAt(place, path, name) {
  const thing = { place, name, says: `Left lying: ${path}`, text: path };
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner === undefined ? thing : { ...thing, owner };
}

/** What git does not know, and what was changed; without git, what stands at the top. @param {string} project @returns {Thing[]} */
function listCheckout(project) {
  return (
    gitStatus(project)?.map(({ state, name }) => {
      const path = join(project, name);
      const isNew = state === "??" || state === "!!";
      return isNew
        ? thingAt("checkout", path, name)
        : { place: "checkout", name, says: `Changed: ${path}`, text: path };
    }) ?? listFolder("checkout", project)
  );
}

/** @param {string} project */
function gitStatus(project) {
  if (!existsSync(join(project, ".git"))) return undefined;
  const args = ["--no-optional-locks", "status", "--porcelain", "--ignored", "--no-renames", "-z"];
  const { status, stdout } = spawnSync("git", args, { cwd: project, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) return undefined;
  const rows = stdout.split("\0").filter((row) => row !== "");
  return rows.map((row) => ({ state: row.slice(0, 2), name: row.slice(3).replace(/\/$/, "") }));
}

/** Namespaces are listed where they have a name. @returns {Thing[]} */
function listMounted() {
  return listMounts()
    .filter(({ type }) => type !== "nsfs")
    .map(({ path, source }) => ({
      place: /** @type {const} */ ("mounts"),
      name: path,
      text: `${path} ${source}`,
      says: `Left mounted: ${path} (${source})`,
    }));
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // There is none, or it is another user's.
  }
}

/** An empty folder among temporary files does no harm, nor does a socket there. @param {Thing} thing */
export function isSomething({ place, text }) {
  return place !== "temporary" || hasFiles(text);
}
