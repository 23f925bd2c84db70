// The processes of this machine, with what says whose they are and the ports that they listen on. Linux says all of it, others only the command.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {string} key      no later process has it, whatever its pid
 * @property {string} command  its arguments, each followed by \0
 * @property {string} environ
 * @property {string} cwd
 * @property {string} program  the file that runs
 * @property {string} files    those that it has open, a row each
 * @property {number[]} ports
 */

/** @returns {Process[]} */
export function listProcesses() {
  return process.platform === "linux" ? readProc() : askPs();
}

/** @returns {Process[]} */
function readProc() {
  const listeners = readListeners();
  return pids().flatMap((pid) => {
    const command = readOf(pid, "cmdline");
    if (command === "") return []; // Of the kernel; or it ended, and waits for its parent to look.
    // What follows the name, which may contain anything: state, parent, …, and as the 20th when it began.
    const stat = readOf(pid, "stat")
      .replace(/^.*\) /s, "")
      .split(" ");
    const process = { pid, parent: Number(stat[1] ?? 0), key: `${pid} ${stat[19]}`, command };
    const environ = readOf(pid, "environ");
    const [cwd, program] = [linkOf(pid, "cwd"), linkOf(pid, "exe")];
    const open = openFiles(pid);
    const ports = new Set(open.flatMap((link) => listeners.get(link) ?? []));
    return [{ ...process, environ, cwd, program, files: open.join("\n"), ports: [...ports] }];
  });
}

/** @returns {Process[]} */
function askPs() {
  const rows = execFileSync("ps", ["-Aww", "-o", "pid=,ppid=,command="], { encoding: "utf8" });
  return rows
    .trim()
    .split("\n")
    .map((row) => {
      const [, pid = "", parent = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
      const process = { pid: Number(pid), parent: Number(parent), key: `${pid} ${command}`, command };
      return { ...process, environ: "", cwd: "", program: "", files: "", ports: [] };
    });
}

/** This process and those above it. @param {readonly Process[]} processes @returns {Set<number>} */
export function ancestors(processes) {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  /** @type {Set<number>} */
  const found = new Set();
  for (let pid = process.pid; pid > 1 && !found.has(pid); pid = parents.get(pid) ?? 0) found.add(pid);
  return found;
}

/** @returns {number[]} */
function pids() {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
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

/** The port of each listening socket, by what a process that has it open calls it. */
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
    if (state === LISTEN) ports.set(`socket:[${inode}]`, Number.parseInt(local.split(":").at(-1) ?? "", 16));
  }
  return ports;
}

/** @param {number} pid */
function openFiles(pid) {
  try {
    return readdirSync(join("/proc", String(pid), "fd")).map((fd) => linkOf(pid, join("fd", fd)));
  } catch {
    return []; // It ended, or is another user's.
  }
}
