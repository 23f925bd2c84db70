import { setTimeout as sleep } from "node:timers/promises";
import { groupLives } from "../process/group-lives.js";
import { signal } from "../process/signal.js";
import { sweepRun } from "../process/sweep.js";
import type { Pane } from "./pane.js";

/*
 * Ends an agent that we started in a pane, and everything that it began: its process group, and by the run's mark what
 * left the group (codex leaves a daemon behind). It is asked by SIGHUP, as by a terminal that closes, also in a hurry: that is
 * what its vendor has it tidy up after. Then it is told by SIGTERM; then killed.
 */

/** Most are gone sooner; one that does not heed it costs a kill that long. On a busy machine a second was too short for qwen to remove its socket. */
const hangUpMs = 3000;

const killAfterMs = 5000;

type EndOptions = { session: string; run: string | undefined; graceMs: number };

export async function endPane(pane: Pane, { session, run, graceMs }: EndOptions): Promise<void> {
  if (signal(-pane.pid, "SIGHUP")) await waitGone(pane, Math.max(graceMs, hangUpMs));
  if (signal(-pane.pid, "SIGTERM")) await waitGone(pane, killAfterMs);
  signal(-pane.pid, "SIGKILL");
  // By name, but only while it is still this pane's: another agent may have the name by now.
  const info = await pane.tmux.paneOf(pane.id);
  if (info?.pid === pane.pid) await pane.tmux.killSession(session);
  if (run !== undefined) await sweepRun(run);
}

/**
 * tmux makes the first process of a pane the leader of a group. That one may end at once while the others tidy up: qwen runs
 * in a child of it, which removes its socket and its lock. tmux 3.3a sometimes leaves it a zombie for good, whose group still takes signals.
 */
async function waitGone({ pid }: Pane, forMs: number): Promise<void> {
  const deadline = performance.now() + forMs;
  while (performance.now() < deadline && (await groupLives(pid))) await sleep(25);
}
