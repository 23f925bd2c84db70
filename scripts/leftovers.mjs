// What a test run left behind: processes, the ports that they listen on, tmux servers (processes too) and files.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * @typedef {object} Marks
 * @property {string[]} folders  the run's own: whoever names one in its arguments, environment or working folder is of the run
 * @property {string} project    the checkout: an orphan that runs a program of it counts, unless it was there `before`
 * @property {Set<number>} before the processes that were there before the run
 */

/** @typedef {{ pid: number, command: string, ports: number[] }} LeftProcess */

/** @param {Marks} marks @returns {LeftProcess[]} */
export function findProcesses(marks) {
  return process.platform === "linux" ? findInProc(marks) : findWithPs(marks);
}

/** What other programs keep in a home: a shell's history, npm's cache, the sessions of the scripted agent. */
const kept = /\/home\/\.(bash_history|npm|scripted)(\/|$)/;

/**
 * What lies in a folder, but for empty folders and for the sockets that tmux leaves where its servers ended.
 * @param {string} folder
 * @returns {string[]}
 */
export function findFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSocket() || kept.test(path)) return [];
    return entry.isDirectory() ? findFiles(path) : [path];
  });
}

/** Where programs keep a folder each, below a home. */
const shelves = ["", ".config", ".local/share", ".local/state"];
/** Caches, and what whoever uses the home meanwhile adds to. */
const usual = new Set([".bash_history", ".cache", ".local", ".config", ".npm", ".node_repl_history"]);

/** What stands in a home, as far down as a program that was never used there would show. @param {string} home @returns {string[]} */
export function homeEntries(home) {
  return shelves.flatMap((shelf) => {
    const folder = join(home, shelf);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => shelf !== "" || !usual.has(name))
      .map((name) => join(folder, name));
  });
}

/** @param {Marks} marks @returns {LeftProcess[]} */
function findInProc({ folders, project, before }) {
  const own = ancestors();
  const listeners = readListeners();
  return pids()
    .filter((pid) => !own.has(pid))
    .flatMap((pid) => {
      const [cmdline, environ] = [readOf(pid, "cmdline"), readOf(pid, "environ")];
      const cwd = linkOf(pid, "cwd");
      const isOfRun = folders.some((folder) => [cmdline, environ, cwd].some((text) => text.includes(folder)));
      const isOrphan = parentOf(pid) === 1 && cmdline.includes(project + sep) && !before.has(pid);
      if (!isOfRun && !isOrphan) return [];
      return [{ pid, command: cmdline.replaceAll("\0", " ").trim(), ports: portsOf(pid, listeners) }];
    })
    .filter(({ command }) => command !== ""); // It ended, and waits for its parent to look.
}

/** @param {Marks} marks @returns {LeftProcess[]} */
function findWithPs({ folders }) {
  const rows = execFileSync("ps", ["-Aww", "-o", "pid=,command="], { encoding: "utf8" }).trim().split("\n");
  return rows
    .map((row) => ({ pid: Number.parseInt(row, 10), command: row.trim().replace(/^\d+\s+/, ""), ports: [] }))
    .filter(({ pid, command }) => pid !== process.pid && folders.some((folder) => command.includes(folder)));
}

/** The processes that there are. @returns {number[]} */
export function pids() {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** This process and those above it: their arguments may name the run's folders as well. */
function ancestors() {
  const found = new Set();
  for (let pid = process.pid; pid > 1 && !found.has(pid); pid = parentOf(pid)) found.add(pid);
  return found;
}

/** @param {number} pid */
function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)$/m.exec(readOf(pid, "status"))?.[1] ?? 0);
}

/** @param {number} pid @param {string} part */
function readOf(pid, part) {
  try {
    return readFileSync(join("/proc", String(pid), part), "utf8");
  } catch {
    return ""; // It ended, or is another user's.
  }
}

/** @param {number} pid @param {string} name */
function linkOf(pid, name) {
  try {
    return readlinkSync(join("/proc", String(pid), name));
  } catch {
    return "";
  }
}

/** The port of each listening socket, by its inode. */
function readListeners() {
  const LISTEN = "0A";
  const rows = ["tcp", "tcp6"].flatMap((table) => {
    try {
      return readFileSync(`/proc/net/${table}`, "utf8").trim().split("\n").slice(1);
    } catch {
      return [];
    }
  });
  /** @type {Map<string, number>} */
  const ports = new Map();
  for (const row of rows) {
    const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
    if (state === LISTEN) ports.set(inode, Number.parseInt(local.split(":").at(-1) ?? "", 16));
  }
  return ports;
}

/** @param {number} pid @param {Map<string, number>} listeners */
function portsOf(pid, listeners) {
  try {
    const links = readdirSync(join("/proc", String(pid), "fd")).map((fd) => linkOf(pid, join("fd", fd)));
    const ports = links.flatMap((link) => listeners.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? "") ?? []);
    return [...new Set(ports)];
  } catch {
    return [];
  }
}
