import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { CheckResult } from "../../model/task.js";
import type { Environment } from "../../runtime/process/environment.js";
import { runCommand } from "../../runtime/process/run-command.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import type { CheckApprovals } from "./check-approvals.js";
import { createSlots } from "./slots.js";

type RunCheckPorts = {
  views: TightViews;
  /** Those of the configuration: a program and its arguments each. */
  checks: Readonly<Record<string, readonly string[]>>;
  withinMs: number;
  atOnce: number;
  approvals: CheckApprovals;
  environment: (task: Task) => Environment;
  /** Where a task's checks run, if that is not its agent's project. */
  folderOf?: ((task: Task) => string | undefined) | undefined;
};

type RunCheck = (task: Task, name: string, signal: AbortSignal) => Promise<CheckResult | undefined>;

/** Runs a check of the configuration where its task was worked on, once the person allows it there. */
export function createRunCheck(ports: RunCheckPorts): RunCheck {
  const { views, approvals } = ports;
  const inTurn = createSlots(ports.atOnce);

  return async (task, name, signal) => {
    const argv = Object.hasOwn(ports.checks, name) ? ports.checks[name] : undefined;
    if (argv === undefined) return notRun(name, `No check is named "${name}" in the configuration any more.`);
    // A worktree is one of the project, and what is allowed there is allowed here.
    const project = realPath(task.spawn?.project ?? views.roster.byId(task.agent)?.project ?? undefined);
    const folder = realPath(ports.folderOf?.(task)) ?? project;
    if (project === undefined || folder === undefined)
      return notRun(name, "There is no folder to run it in: the project of its agent is not known, or gone.");
    const approval = await approvals.ask(
      {
        id: `${task.id}.${task.attempt}.check-${task.results.length + 1}`,
        agent: task.agent,
        title: `run check ${name}: ${argv.join(" ")} in ${atHome(project)}`,
        run: { task: task.id, check: name, argv, project },
      },
      signal,
    );
    if (approval.kind === "over") return undefined;
    if (approval.kind === "refused") return notRun(name, approval.why);
    const ran = await inTurn(task.by, () =>
      runCommand({
        argv,
        cwd: folder,
        env: ports.environment(task),
        withinMs: ports.withinMs,
        install: `Install it, or correct "checks" in huddle.yaml.`,
        signal,
      }),
    );
    return ran === undefined ? undefined : { name, passed: ran.exit === 0, ...ran };
  };
}

/** The agent can do nothing about it. */
function notRun(name: string, why: string): CheckResult {
  return { name, passed: false, exit: null, ms: 0, output: why, final: true };
}

function realPath(folder: string | undefined): string | undefined {
  try {
    return folder === undefined ? undefined : realpathSync(folder);
  } catch {
    return undefined;
  }
}

function atHome(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
