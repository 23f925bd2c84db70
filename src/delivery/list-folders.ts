import { access, opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HubError } from "../model/errors.js";
import { WORKTREES_FOLDER } from "../model/worktree.js";
import { findInRoots, realPath } from "../runtime/fs/allowed-roots.js";
import { OWN_FOLDER } from "../runtime/fs/own-folder.js";
import { checkProject } from "./check-project.js";

type Folder = { name: string; path: string; git: boolean };

type FolderList = {
  path: string | null;
  parent: string | null;
  git: boolean;
  folders: Folder[];
  cut: number;
  roots: string[];
  recent: Folder[];
};

/** Most folders that are shown, and most entries of a folder that are looked at. */
const SHOWN = 500;
const LOOKED_AT = 20_000;
const RECENT = 10;

/** Where to begin: the folders below which agents may work, and where they worked lately. */
export async function beginFolders(
  roots: readonly string[],
  projects: readonly (string | null)[],
): Promise<FolderList> {
  const used = [...new Set(projects.flatMap((project) => (project === null ? [] : [repositoryOf(project)])))];
  const there = used.filter((project) => findInRoots(project, roots) !== undefined).slice(0, RECENT);
  return {
    path: null,
    parent: null,
    git: false,
    folders: [],
    cut: 0,
    roots: realRoots(roots),
    recent: await Promise.all(there.map((path) => describe(basename(path), path))),
  };
}

/** The folders in one where agents may work. What a link leads out of there is not shown. */
export async function listFolders(path: string, roots: readonly string[]): Promise<FolderList> {
  const folder = checkProject(path, roots);
  const { names, unseen } = await readNames(folder, roots);
  const parent = dirname(folder);
  return {
    path: folder,
    parent: parent !== folder && findInRoots(parent, roots) !== undefined ? parent : null,
    git: await isWorkingTree(folder),
    folders: await Promise.all(names.slice(0, SHOWN).map((name) => describe(name, join(folder, name)))),
    cut: Math.max(0, names.length - SHOWN) + unseen,
    roots: realRoots(roots),
    recent: [],
  };
}

async function readNames(
  folder: string,
  roots: readonly string[],
): Promise<{ names: string[]; unseen: number }> {
  const names: string[] = [];
  let entries = 0;
  try {
    for await (const entry of await opendir(folder)) {
      if (++entries > LOOKED_AT) continue;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(join(folder, entry.name), roots)))
        names.push(entry.name);
    }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new HubError(
      "INVALID_INPUT",
      `${folder} cannot be read (${reason}); choose another folder`,
      { path: folder },
      { cause: error },
    );
  }
  return { names: names.sort((a, b) => a.localeCompare(b)), unseen: Math.max(0, entries - LOOKED_AT) };
}

function leadsToFolder(link: string, roots: readonly string[]): boolean {
  try {
    return findInRoots(link, roots) !== undefined && checkProject(link, roots) !== "";
  } catch (error) {
    if (error instanceof HubError) return false;
    throw error;
  }
}

async function describe(name: string, path: string): Promise<Folder> {
  return { name, path, git: await isWorkingTree(path) };
}

function isWorkingTree(folder: string): Promise<boolean> {
  return access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
}

/** A root that is not there is none. */
function realRoots(roots: readonly string[]): string[] {
  return [...new Set(roots.flatMap((root) => realPath(root) ?? []))];
}

/** An agent's own worktree goes with it; the next one begins in the repository. */
function repositoryOf(project: string): string {
  const end = project.indexOf(`/${OWN_FOLDER}/${WORKTREES_FOLDER}/`);
  return end === -1 ? project : project.slice(0, end);
}
