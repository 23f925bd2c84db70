import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { PlannedWorktree } from "../../model/worktree.js";
import { gitFolder } from "./make-worktree.js";
import { type Git, openGit } from "./open-git.js";

export type Measure = {
  commits: number;
  files: number;
  insertions: number;
  deletions: number;
  /** What is not committed. */
  loose: number;
  /** Neither its branch nor anything in it was touched. */
  isUntouched: boolean;
};

type Place = Pick<PlannedWorktree, "path" | "branch" | "base" | "project">;

/**
 * What was done in it since its base: commits, what is not committed, and files that git does not know yet, but for
 * `copies`, which the hub put there.
 */
export async function measureWorktree(place: Place, copies: readonly string[] = []): Promise<Measure> {
  const { path, branch, base } = place;
  if (!existsSync(join(path, ".git"))) return measureBranch(place);
  const git = await openGit(path);
  const head = (await git.ask(["rev-parse", "HEAD"])).trim();
  const tip = await branchTip(git, branch);
  const commits = await countCommits(git, base, head);
  return withUntracked(git, copies, async (index) => {
    const since = count(await git.ask(diffArgs(["--numstat", "-z", base]), { index }));
    const loose = count(await git.ask(diffArgs(["--numstat", "-z", head]), { index }));
    const isUntouched = since.files === 0 && loose.files === 0 && head === base && (tip ?? base) === base;
    return { commits, ...since, loose: loose.files, isUntouched };
  });
}

/** The folder is gone, or git does not know it any more: what was committed is still there. */
async function measureBranch({ project, path, branch, base }: Place): Promise<Measure> {
  const git = await openGit(project);
  const tip = (await branchTip(git, branch)) ?? base;
  const commits = await countCommits(git, base, tip);
  const since = count(await git.ask(diffArgs(["--numstat", "-z", base, tip])));
  return { commits, ...since, loose: 0, isUntouched: tip === base && !existsSync(path) };
}

/** As a patch against its base, cut after so many bytes. */
export async function diffWorktree(
  place: Place,
  mostBytes: number,
): Promise<{ diff: string; isCut: boolean }> {
  const { path, branch, base, project } = place;
  if (!existsSync(join(path, ".git"))) {
    const git = await openGit(project);
    return patch(git, [base, (await branchTip(git, branch)) ?? base], { mostBytes });
  }
  const git = await openGit(path);
  return withUntracked(git, [], (index) => patch(git, [base], { index, mostBytes }));
}

async function patch(git: Git, what: readonly string[], options: { index?: string; mostBytes: number }) {
  const { stdout, isCut } = await git.run(diffArgs(["--no-color", ...what]), options);
  return { diff: stdout, isCut };
}

function diffArgs(args: readonly string[]): string[] {
  return ["diff", "--no-ext-diff", "--no-textconv", "--no-renames", ...args, "--"];
}

async function countCommits(git: Git, base: string, tip: string): Promise<number> {
  return Number(await git.ask(["rev-list", "--count", `${base}..${tip}`]));
}

export async function branchTip(git: Git, branch: string): Promise<string | undefined> {
  const found = await git.run(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`]);
  return found.code === 0 ? found.stdout.trim() : undefined;
}

/** With an index of our own in which new files are noted, so that a diff shows them; the agent's is left alone. */
async function withUntracked<T>(
  git: Git,
  except: readonly string[],
  look: (index: string) => Promise<T>,
): Promise<T> {
  const own = await gitFolder(git);
  // Beside theirs, so that it goes with the worktree if the hub is killed meanwhile.
  const index = join(own, `huddle-index-${randomUUID()}`);
  try {
    const theirs = join(own, "index");
    if (existsSync(theirs)) copyIndex(theirs, index);
    await git.ask(
      ["add", "--intent-to-add", "--", ".", ...except.map((path) => `:(exclude,literal)${path}`)],
      { index },
    );
    return await look(index);
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}

/**
 * With its time: by that git knows which files may have been written again in the second in which it noted them, and
 * reads those.
 */
function copyIndex(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const second = Math.floor(mtimeMs / 1000);
  utimesSync(to, second, second);
}

/** Of `--numstat -z`: `added TAB deleted TAB path NUL`, with `-` for what is binary. */
function count(printed: string): Pick<Measure, "files" | "insertions" | "deletions"> {
  const rows = printed.split("\0").filter((row) => row !== "");
  const sum = (column: number) =>
    rows.reduce((total, row) => total + (Number(row.split("\t")[column]) || 0), 0);
  return { files: rows.length, insertions: sum(0), deletions: sum(1) };
}
