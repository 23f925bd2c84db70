// Every database of Huddle is opened here, in the hub and in its worker threads alike.
import { findBetterSqlite3, loadBetterSqlite3 } from "./better-sqlite3.js";
import { DriverProblem, describeProblem } from "./driver-problem.js";
import { loadPhotostructure } from "./photostructure.js";

/** @type {import("./port.js").Driver | undefined} */
let chosen;

/**
 * The driver, loaded when it is first needed. HUDDLE_SQLITE names one: `prebuilt` or `better-sqlite3`. Without it,
 * better-sqlite3 is taken where somebody installed it beside Huddle and it works.
 */
export function loadDriver() {
  chosen ??= choose(process.env["HUDDLE_SQLITE"] ?? "", process.env["HUDDLE_SQLITE_DIR"] || undefined);
  return chosen;
}

/** @param {string} file @param {import("./port.js").OpenOptions} [options] */
export function openSqlite(file, options) {
  return loadDriver().open(file, options);
}

/** @param {string} wanted @param {string | undefined} folder where better-sqlite3 is looked for, besides here */
export function choose(wanted, folder) {
  switch (wanted) {
    case "":
      return tryBetterSqlite3(folder) ?? load(loadPhotostructure, "prebuilt");
    case "prebuilt":
      return load(loadPhotostructure, wanted);
    case "better-sqlite3":
      return load(() => {
        const place = findBetterSqlite3(folder);
        if (place === undefined) throw new Error("it is not installed");
        return loadBetterSqlite3(place);
      }, wanted);
    default:
      throw new DriverProblem(
        `HUDDLE_SQLITE is "${wanted}", but Huddle knows only prebuilt and better-sqlite3. Correct it: unset HUDDLE_SQLITE`,
      );
  }
}

/** Only what works: nobody asked for it. @param {string | undefined} folder */
function tryBetterSqlite3(folder) {
  const place = findBetterSqlite3(folder);
  try {
    return place === undefined ? undefined : loadBetterSqlite3(place);
  } catch {
    return undefined;
  }
}

/** @param {() => import("./port.js").Driver} loading @param {"prebuilt" | "better-sqlite3"} name */
function load(loading, name) {
  try {
    return loading();
  } catch (error) {
    throw new DriverProblem(describeProblem(name, error), { cause: error });
  }
}
