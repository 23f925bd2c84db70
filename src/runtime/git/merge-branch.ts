import { existsSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "../../model/errors.js";
import type { PlannedWorktree } from "../../model/worktree.js";
import { gitFolder } from "./make-worktree.js";
import { branchTip } from "./measure-worktree.js";
import { type Git, openGit, said } from "./open-git.js";
import { failed } from "./run-git.js";

type Merged = { into: string; commit: string; isNew: boolean };

const UNFINISHED = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

/** Merges its branch into the one that the project is on. Where that does not work, everything is as it was. */
export async function mergeBranch({
  project,
  branch,
}: Pick<PlannedWorktree, "project" | "branch">): Promise<Merged> {
  const git = await openGit(project);
  const byHand = `merge it by hand: git -C '${project}' merge ${branch}`;
  if (git.programs.length > 0) {
    throw failed(
      `The repository's own configuration names programs (${git.programs.join(", ")}), which the hub does not run; ${byHand}`,
    );
  }
  const into = await git.run(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (into.code !== 0) throw failed(`${project} is on no branch; check one out first`);
  if ((await branchTip(git, branch)) === undefined)
    throw failed(`The branch ${branch} does not exist any more`);
  const folder = await gitFolder(git);
  const unfinished = UNFINISHED.find((name) => existsSync(join(folder, name)));
  if (unfinished !== undefined) {
    throw failed(`A merge or rebase is under way in ${project} (${unfinished}); finish it first`);
  }
  if (existsSync(join(folder, "index.lock"))) {
    throw failed(`Another git process is at work in ${project} (index.lock); try again once it has ended`);
  }
  const before = (await git.ask(["rev-parse", "HEAD"])).trim();
  const merged = await git.run(["merge", "--no-edit", "--no-verify-signatures", branch]);
  if (merged.code !== 0) throw await undo(git, folder, branch, said(merged), byHand);
  const commit = (await git.ask(["rev-parse", "HEAD"])).trim();
  return { into: into.stdout.trim(), commit, isNew: commit !== before };
}

async function undo(
  git: Git,
  folder: string,
  branch: string,
  why: string,
  byHand: string,
): Promise<HubError> {
  if (!existsSync(join(folder, "MERGE_HEAD"))) {
    return failed(`${branch} was not merged, and nothing has changed: ${why}`);
  }
  const printed = await git.ask(["diff", "--name-only", "--diff-filter=U", "-z"]);
  const files = printed.split("\0").filter((file) => file !== "");
  await git.ask(["merge", "--abort"]);
  if (files.length === 0) return failed(`${branch} was not merged, and nothing has changed: ${why}`);
  return new HubError(
    "MERGE_CONFLICT",
    `${branch} conflicts in ${files.slice(0, 10).join(", ")}; nothing has changed. To solve it, ${byHand}`,
    { files },
  );
}
