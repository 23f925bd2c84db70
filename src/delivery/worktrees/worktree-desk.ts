import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ExecuteCommand } from "../../hub/deciders.js";
import { HubError } from "../../model/errors.js";
import type { WorktreeDesk } from "../../model/worktree.js";
import { branchTip, diffWorktree, measureWorktree } from "../../runtime/git/measure-worktree.js";
import { mergeBranch } from "../../runtime/git/merge-branch.js";
import { openGit } from "../../runtime/git/open-git.js";
import { removeWorktree } from "../../runtime/git/remove-worktree.js";
import type { TightViews } from "../../views/tight.js";
import type { Worktree } from "../../views/worktrees.js";
import { unchangedCopies } from "./copied-files.js";
import type { InTurn } from "./in-turn.js";
import { inhabitants, toResult } from "./worktree-keeper.js";

type DeskPorts = { views: TightViews; execute: ExecuteCommand; inTurn: InTurn; copy: readonly string[] };

export function createWorktreeDesk({ views, execute, inTurn, copy }: DeskPorts): WorktreeDesk {
  function find(name: string): Worktree {
    const worktree = views.worktrees.byName(name);
    if (worktree !== undefined && worktree.state !== "making") return worktree;
    throw new HubError("WORKTREE_NOT_FOUND", `No worktree is named "${name.slice(0, 100)}"`, {
      available: views.worktrees.list().flatMap(({ name: one, state }) => (state === "making" ? [] : one)),
    });
  }

  const measure = (worktree: Worktree) => measureWorktree(worktree, unchangedCopies(worktree, copy));

  async function checkLost(worktree: Worktree): Promise<void> {
    const { commits, files, loose } = await measure(worktree);
    const isMerged = await isInProject(worktree);
    if (loose === 0 && isMerged) return;
    const what =
      loose > 0
        ? `${sayFiles(loose)} that ${loose === 1 ? "is" : "are"} not committed`
        : `${commits} commit${commits === 1 ? " that is" : "s that are"} not merged`;
    throw new HubError(
      "WORKTREE_CHANGED",
      `The worktree ${worktree.name} has ${what}; merge it first, or remove it with all that is in it: huddle worktree rm ${worktree.name} --force`,
      { commits, files, loose },
    );
  }

  return {
    diff: async (name, mostBytes) => diffWorktree(find(name), mostBytes),
    async merge(name) {
      const { path } = find(name);
      return inTurn(dirname(path), async () => {
        const worktree = find(name);
        const { loose, commits, files } = await measure(worktree);
        if (loose > 0) {
          throw new HubError(
            "WORKTREE_CHANGED",
            `${sayFiles(loose)} in ${path} ${loose === 1 ? "is" : "are"} not committed, and would not be merged; commit first: git -C '${path}' add -A && git -C '${path}' commit -m 'what it does'`,
            { commits, files, loose },
          );
        }
        return { branch: worktree.branch, ...(await mergeBranch(worktree)) };
      });
    },
    async remove(name, force) {
      const { path } = find(name);
      return inTurn(dirname(path), async () => {
        const worktree = find(name);
        const there = inhabitants(views, worktree).map((agent) => agent.name);
        if (there.length > 0) {
          throw new HubError(
            "WORKTREE_BUSY",
            `${there.join(", ")} works in ${name}; shut it down first: huddle shutdown ${there[0] ?? ""}`,
            { agents: there },
          );
        }
        if (!force) await checkLost(worktree);
        const result = existsSync(worktree.project)
          ? toResult(worktree, await measure(worktree), false)
          : undefined;
        await removeWorktree(worktree, { tip: force ? undefined : await tipOf(worktree), force });
        await execute("endWorktree", {
          name,
          agent: worktree.agent,
          result,
          forced: force ? true : undefined,
        });
      });
    },
  };
}

async function tipOf({ project, branch }: Worktree): Promise<string | undefined> {
  return branchTip(await openGit(project), branch);
}

/** The project has all that was committed there. */
async function isInProject(worktree: Worktree): Promise<boolean> {
  const tip = await tipOf(worktree);
  if (tip === undefined) return true;
  const git = await openGit(worktree.project);
  return (await git.run(["merge-base", "--is-ancestor", tip, "HEAD"])).code === 0;
}

function sayFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
