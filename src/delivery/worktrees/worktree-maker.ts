import { join } from "node:path";
import type { ExecuteCommand } from "../../hub/deciders.js";
import type { AgentId } from "../../model/agent.js";
import type { TaskId } from "../../model/task.js";
import { BRANCH_PREFIX, type PlannedWorktree, worktreeName } from "../../model/worktree.js";
import { findRepository, type Repository } from "../../runtime/git/find-repository.js";
import { isOurs, makeWorktree, takenNames, worktreesFolder } from "../../runtime/git/make-worktree.js";
import { removeWorktree } from "../../runtime/git/remove-worktree.js";
import { failed } from "../../runtime/git/run-git.js";
import type { TightViews } from "../../views/tight.js";
import { copyFiles } from "./copied-files.js";
import type { InTurn } from "./in-turn.js";

type MakerPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  inTurn: InTurn;
  /** The folder that is meant, if agents may work there. */
  checkProject: (project: string) => string;
  /** Files of the project that each new one gets. */
  copy: readonly string[];
  /** Makes a new one ready. */
  setUp: (worktree: PlannedWorktree) => Promise<void>;
};

export type WantedWorktree = {
  agent: AgentId;
  by: AgentId;
  /** What it is called, if that is free. */
  name: string;
  project: string;
  task?: TaskId | undefined;
};

const TRIES = 20;

/** Makes a worktree for an agent that is about to start. Asked again for the same agent, it goes on with the one that it began. */
export function createWorktreeMaker(ports: MakerPorts): (wanted: WantedWorktree) => Promise<string> {
  const { views, execute, inTurn } = ports;

  function isAllowed(folder: string): boolean {
    try {
      ports.checkProject(folder);
      return true;
    } catch {
      return false;
    }
  }

  async function plan(repository: Repository, wanted: WantedWorktree, tried: ReadonlySet<string>) {
    const { git, top, below, base } = repository;
    const { agent, by, task, project } = wanted;
    const taken = await takenNames(git, top);
    const name = worktreeName(
      wanted.name,
      (one) => taken.has(one) || tried.has(one) || views.worktrees.byName(one) !== undefined,
    );
    const path = join(worktreesFolder(top), name);
    const planned: PlannedWorktree = {
      name,
      agent,
      by,
      ...(task === undefined ? {} : { task }),
      project,
      path,
      folder: join(path, below),
      branch: `${BRANCH_PREFIX}${name}`,
      base,
    };
    return planned;
  }

  async function carryOut(repository: Repository, planned: PlannedWorktree): Promise<boolean> {
    try {
      if (!(await makeWorktree(repository.git, planned))) return false;
      await copyFiles(planned, ports.copy);
      return true;
    } catch (error) {
      await discard(planned);
      throw error;
    }
  }

  /** Nobody has worked in it. */
  async function discard(planned: PlannedWorktree): Promise<void> {
    if (await isOurs(planned)) await removeWorktree(planned, { tip: planned.base, force: true });
    await execute("endWorktree", { name: planned.name, agent: planned.agent });
  }

  return async (wanted) => {
    const begun = views.worktrees.ofAgent(wanted.agent);
    if (begun?.state === "made") return begun.folder;
    const repository = await findRepository(wanted.project, isAllowed);
    const made = await inTurn(worktreesFolder(repository.top), async () => {
      if (begun?.state === "making" && (await carryOut(repository, begun))) return begun;
      const tried = new Set<string>();
      while (tried.size < TRIES) {
        const planned = await plan(repository, wanted, tried);
        tried.add(planned.name);
        if (!(await execute("planWorktree", { worktree: planned }))) continue;
        if (await carryOut(repository, planned)) return planned;
      }
      throw failed(`No free name for a worktree was found in ${worktreesFolder(repository.top)}`);
    });
    try {
      // Others need not wait for it: it may take long, and the person may be asked.
      await ports.setUp(made);
      await execute("recordWorktree", { name: made.name });
    } catch (error) {
      await inTurn(worktreesFolder(repository.top), () => discard(made));
      throw error;
    }
    return made.folder;
  };
}
