// Which of the new things in shared places are a run's leftovers. In CI whatever is new, unless usual-names.json has it, and of temporary files
// what looks like ours or a program's that tests drive. Elsewhere other programs work meanwhile, so only what looks like ours.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { namesLivingRun } from "./run-folder.mjs";
import { isSomething } from "./things.mjs";

/**
 * @typedef {import("./things.mjs").Thing} Thing
 * @typedef {import("./processes.mjs").Process} Process
 * @typedef {object} Judged
 * @property {string[]} folders         the run's own
 * @property {boolean} isStrict         in CI
 * @property {number | undefined} user  whose run it is
 * @property {readonly Process[]} others the processes that are none of the run's
 */

/** @type {{ place: string, name: string, reason: string }[]} */
const usual = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../test/report/usual-names.json", import.meta.url)), "utf8"),
);

/** How names begin that the project gives: its folders, network namespaces, compiled sources, the scripted agent's sessions. */
const ours = /(^|\/)\.?(hud-|huddle|children-|scripted)/;

/** How temporary files are named by the programs that tests drive. In CI they count too; what anybody else puts there meanwhile does not. */
const driven =
  /claude|codex|gemini|qwen|droid|factory|opencode|copilot|tmux|nats|playwright|chrom|vite|rolldown|npm|node|mcp|acp|sqlite|git/i;

/** Of another run, which may have been killed. */
const runFolder = /^hud-\d+-\w{6}$/;

/**
 * @param {Map<string, Thing>} before
 * @param {Map<string, Thing>} after
 * @param {Judged} judged
 */
export function newLeftovers(before, after, judged) {
  return [...after]
    .filter(([key, thing]) => !before.has(key) && counts(thing, judged) && isSomething(thing))
    .map(([, thing]) => thing);
}

/** @param {Thing} thing @param {Judged} judged */
export function counts(thing, { folders, isStrict, user, others }) {
  const { place, name, text } = thing;
  const named = place === "mounts" || place === "disks" ? text : name;
  if (folders.some((folder) => text.includes(basename(folder)))) return true;
  if (namesLivingRun(named)) return false;
  if (usual.some((entry) => entry.place === place && new RegExp(entry.name).test(name))) return false;
  if (isStrict && place === "temporary") return ours.test(name) || driven.test(name);
  if (isStrict || place === "home") return true;
  const isOthers = place === "temporary" && (runFolder.test(name) || others.some(testsUnmarked));
  const isOwn = thing.owner === undefined || thing.owner === user;
  return isOwn && !isOthers && ours.test(named) && !others.some((process) => uses(process, text));
}

/** Of a mutation run, for one, whose temporary files do not say whose they are. @param {Process} process */
function testsUnmarked({ command, environ }) {
  return /vitest|stryker/.test(command) && !namesLivingRun(environ);
}

/** @param {Process} process @param {string} path */
function uses({ command, environ, cwd, files }, path) {
  return [command, environ, cwd, files].some((text) => text.includes(path));
}
