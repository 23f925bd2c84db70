import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { WORKTREES_FOLDER } from "../../model/worktree.js";
import { OWN_FOLDER } from "../fs/own-folder.js";
import { type Git, openGit, said } from "./open-git.js";
import { failed } from "./run-git.js";

export type Repository = {
  git: Git;
  /** Below which worktrees are made. */
  top: string;
  /** The project's folder below the top of its working tree; empty for the top itself. */
  below: string;
  base: string;
};

/** The repository that a project is in, or why no worktree can be made of it. */
export async function findRepository(
  project: string,
  isAllowed: (folder: string) => boolean,
): Promise<Repository> {
  const git = await openGit(project);
  const kind = await git.run(["rev-parse", "--is-bare-repository", "--is-inside-work-tree"]);
  if (kind.code !== 0) {
    throw failed(
      /not a git repository/.test(kind.stderr)
        ? `${project} is not a git repository; run "git init" and commit there, or leave out worktree`
        : `git does not work in ${project}: ${said(kind)}`,
      { project },
    );
  }
  const [isBare, isInside] = kind.stdout.split("\n");
  if (isBare === "true" || isInside !== "true") {
    throw failed(`${project} is a bare repository, or inside of one: it has no working tree`, { project });
  }
  const head = await git.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head.code !== 0) {
    throw failed(`The repository at ${project} has no commit yet; commit something first`, { project });
  }
  const base = head.stdout.trim();
  const below = line(await git.ask(["rev-parse", "--show-prefix"])).replace(/\/$/, "");
  await checkCommitted(git, base, below, project);
  return { git, top: await chooseTop(git, isAllowed, project), below, base };
}

async function checkCommitted(git: Git, base: string, below: string, project: string): Promise<void> {
  if (below === "") return;
  const type = await git.run(["cat-file", "-t", `${base}:${below}`]);
  if (type.stdout.trim() === "tree") return;
  throw failed(`${project} is not in the newest commit of its repository; commit it first`, { project });
}

/**
 * The main working tree's top, so that no worktree lies in another and goes with it; else that of the working tree which
 * the project is in: a main one may lie elsewhere, or there may be none.
 */
async function chooseTop(git: Git, isAllowed: (folder: string) => boolean, project: string): Promise<string> {
  const own = realpathSync(line(await git.ask(["rev-parse", "--show-toplevel"])));
  const common = realpathSync(resolve(project, line(await git.ask(["rev-parse", "--git-common-dir"]))));
  const main = basename(common) === ".git" ? dirname(common) : undefined;
  const top = [main, outside(own)].find((folder) => folder !== undefined && isAllowed(folder));
  if (top !== undefined) return top;
  throw failed(
    `The worktree would be made in ${own}, and agents may not work there; add it to allowed_roots in huddle.yaml`,
    { project },
  );
}

/** The top that a worktree of Huddle's was made below, for one that is asked for from inside of it. */
function outside(top: string): string {
  const worktrees = dirname(top);
  const isOurs = worktrees.endsWith(join("/", OWN_FOLDER, WORKTREES_FOLDER));
  return isOurs ? dirname(dirname(worktrees)) : top;
}

function line(printed: string): string {
  return printed.replace(/\n$/, "");
}
