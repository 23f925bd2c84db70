import type { Listen } from "../../journal/signal.js";
import { HubError } from "../../model/errors.js";
import type { HubEvent } from "../../model/events.js";
import { SETUP_CHECK } from "../../model/permission.js";
import type { TaskId } from "../../model/task.js";
import type { PlannedWorktree } from "../../model/worktree.js";
import { failed } from "../../runtime/git/run-git.js";
import type { Environment } from "../../runtime/process/environment.js";
import { type CommandResult, runCommand } from "../../runtime/process/run-command.js";
import type { TightViews } from "../../views/tight.js";
import type { CheckApprovals } from "../acceptance/check-approvals.js";

type SetUpPorts = {
  views: TightViews;
  onCommitted: Listen<readonly HubEvent[]>;
  /** A program and its arguments; none if a worktree is ready as git makes it. */
  argv: readonly string[];
  withinMs: number;
  approvals: Pick<CheckApprovals, "ask">;
  environment: (worktree: PlannedWorktree) => Environment;
};

export type SetUp = {
  /** Makes a new worktree ready, once the person allows that in its project. */
  run(worktree: PlannedWorktree): Promise<void>;
  /** What runs is ended; the next start of the hub does it again. */
  end(): void;
};

const TOLD_MOST = 300;

/** It runs what is in the repository, and agents write there: so it is approved as a check is. */
export function createSetUp(ports: SetUpPorts): SetUp {
  const { argv, views } = ports;
  const running = new Map<TaskId, AbortController>();
  let ended = false;
  const unfollow = ports.onCommitted((events) => {
    for (const event of events) if (event.type === "TaskEnded") running.get(event.data.task)?.abort();
  });

  async function checkAllowed(worktree: PlannedWorktree, signal: AbortSignal): Promise<void> {
    const { agent, by, task, project } = worktree;
    const command = { check: SETUP_CHECK, argv, project };
    if (views.allowedChecks.has(command)) return;
    if (task === undefined) {
      throw new HubError(
        "SETUP_NOT_ALLOWED",
        `A new worktree of ${project} is made ready by "${argv.join(" ")}" (${SETUP_CHECK}), which the person has not allowed there yet. Allow it, then spawn again: huddle checks allow ${SETUP_CHECK} --project '${project}'`,
        { project, argv },
      );
    }
    const title = `run ${SETUP_CHECK}: ${argv.join(" ")} in ${project}`;
    // Its agent is not there yet: whoever assigned the task asks.
    const approval = await ports.approvals.ask(
      { id: `${task}.setup-${agent}`, agent: by, title, run: { ...command, task } },
      signal,
    );
    if (approval.kind === "refused") throw failed(`worktree.setup did not run: ${approval.why}`, { project });
  }

  async function run(worktree: PlannedWorktree): Promise<void> {
    if (argv.length === 0) return;
    const stop = new AbortController();
    const { task, folder } = worktree;
    if (task !== undefined) running.set(task, stop);
    let ran: CommandResult | undefined;
    try {
      await checkAllowed(worktree, stop.signal);
      ran = await runCommand({
        argv,
        cwd: folder,
        env: ports.environment(worktree),
        withinMs: ports.withinMs,
        install: "Install it, or correct worktree.setup in huddle.yaml.",
        signal: stop.signal,
      });
    } finally {
      if (task !== undefined) running.delete(task);
    }
    // The hub is ending: whoever waits for it is taken up by the next one.
    if (ended) await new Promise<never>(() => {});
    if (ran === undefined) throw failed("The task has ended before its worktree was ready");
    if (ran.exit === 0) return;
    const how = ran.exit === null ? "did not run to its end" : `ended with code ${ran.exit}`;
    throw failed(`worktree.setup (${argv.join(" ")}) ${how}: ${ran.output.slice(-TOLD_MOST)}`);
  }

  return {
    run,
    end() {
      ended = true;
      unfollow();
      for (const stop of running.values()) stop.abort();
    },
  };
}
