import { startOf, statField } from "./process-start.js";

/*
 * The terminal that a CLI runs in, as a word for a file's name. On Linux it is the leader of its session, usually the
 * shell: there is one for each window, tab and pane, it outlives the CLI, and no program has to pass anything on to us
 * (most give an MCP server no more than PATH and HOME). Without a terminal, or elsewhere, what comes closest.
 */
export function findTerminal(): string {
  const session = Number(statField("self", "session"));
  if (Number.isNaN(session)) return findTty() ?? leaderOf(process.ppid);
  const hasLeader = session !== process.pid && startOf(session) !== undefined;
  return leaderOf(hasLeader ? session : process.ppid);
}

/** Nobody will come back to it. */
export function isClosed(terminal: string): boolean {
  const [, pid, start] = /^(\d+)-(\d+)$/.exec(terminal) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== start;
}

function leaderOf(pid: number): string {
  return `${pid}-${startOf(pid) ?? "0"}`;
}

function findTty(): string | undefined {
  const { TERM_SESSION_ID: given } = process.env;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tty =
    given ?? spawnSync("ps", ["-o", "tty=", "-p", String(process.pid)], { encoding: "utf8" }).stdout;
  const word = (tty ?? "").replace(/\W+/g, "");
  return word === "" ? undefined : `tty-${word}`;
}
