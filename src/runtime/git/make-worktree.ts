import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BRANCH_PREFIX, type PlannedWorktree, WORKTREES_FOLDER } from "../../model/worktree.js";
import { makeOwnFolder, OWN_FOLDER } from "../fs/own-folder.js";
import { type Git, openGit, said } from "./open-git.js";
import { failed } from "./run-git.js";

/** In git's own folder of the worktree: the id of the agent that it is for. */
const MARK = "huddle-agent";
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 200;

export function worktreesFolder(top: string): string {
  return join(top, OWN_FOLDER, WORKTREES_FOLDER);
}

/** The names that branches or folders have already, whoever made them. */
export async function takenNames(git: Git, top: string): Promise<ReadonlySet<string>> {
  const inTheWay = await git.run(["show-ref", "--verify", "--quiet", "refs/heads/huddle"]);
  if (inTheWay.code === 0) {
    throw failed(
      `The branch "huddle" stands in the way of ${BRANCH_PREFIX}…; rename it: git branch -m huddle …`,
    );
  }
  const refs = await git.ask(["for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/huddle/"]);
  const branches = refs.split("\n").flatMap((ref) => ref.split("/")[0] ?? []);
  return new Set([...branches, ...foldersIn(worktreesFolder(top))].map((name) => name.toLowerCase()));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Makes it as planned, or takes up what an earlier life of the hub left unfinished. False if somebody else's folder or
 * branch is in its place meanwhile.
 */
export async function makeWorktree(git: Git, plan: PlannedWorktree): Promise<boolean> {
  const { path, branch, base, agent } = plan;
  if (!isThere(path)) {
    await prepareFolders(git, dirname(path));
    const added = await git.run(["worktree", "add", "--no-checkout", "--no-track", "-b", branch, path, base]);
    if (added.code !== 0) {
      if (/already exists/.test(added.stderr)) return false;
      throw failed(`git could not make the worktree ${path}: ${said(added)}`);
    }
  } else if (!(await isOurs(plan))) return false;
  const own = await openGit(path);
  const folder = await gitFolder(own);
  // From here on whatever is in it is the hub's, until its agent starts.
  writeFileSync(join(folder, MARK), agent, { mode: 0o600 });
  await checkOut(own);
  return true;
}

/** The git of a hub that was killed may still be at it. */
async function checkOut(git: Git): Promise<void> {
  for (let tries = 0; ; tries++) {
    const done = await git.run(["reset", "--hard", "--quiet", "--no-recurse-submodules"]);
    if (done.code === 0) return;
    if (tries === LOCK_TRIES || !/index\.lock/.test(done.stderr)) {
      throw failed(`git could not check out ${git.folder}: ${said(done)}`);
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** For a plan: it has this agent's mark, or git made it and nothing is in it yet. */
export async function isOurs({ path, branch, base, agent }: PlannedWorktree): Promise<boolean> {
  try {
    if (!lstatSync(join(path, ".git")).isFile()) return false;
    const own = await openGit(path);
    const at = await own.ask(["rev-parse", "HEAD"]);
    const on = await own.ask(["symbolic-ref", "HEAD"]);
    if (at.trim() !== base || on.trim() !== `refs/heads/${branch}`) return false;
    return markOf(await gitFolder(own)) === agent || readdirSync(path).length === 1;
  } catch {
    return false;
  }
}

function markOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, MARK), "utf8");
  } catch {
    return undefined;
  }
}

export async function gitFolder(git: Git): Promise<string> {
  return resolve(git.folder, (await git.ask(["rev-parse", "--git-dir"])).replace(/\n$/, ""));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

async function prepareFolders(git: Git, worktrees: string): Promise<void> {
  try {
    await makeOwnFolder(dirname(worktrees));
    await makeOwnFolder(worktrees);
    await exclude(git);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failed(`The folder for worktrees could not be made: ${why}`);
  }
}

/** The person's git does not see them: by a file of the repository that is theirs alone and never committed. */
async function exclude(git: Git): Promise<void> {
  const line = `/${OWN_FOLDER}/${WORKTREES_FOLDER}/`;
  const file = resolve(
    git.folder,
    (await git.ask(["rev-parse", "--git-path", "info/exclude"])).replace(/\n$/, ""),
  );
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.split("\n").includes(line)) return;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
}
