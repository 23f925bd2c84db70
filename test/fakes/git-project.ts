import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "./temp-folder.js";

/** A real git repository in a folder of its own, with one commit. */
export type GitProject = {
  folder: string;
  git(...args: string[]): string;
  write(file: string, text: string): void;
  commit(file: string, text: string): string;
};

export function gitProject(name = "shop"): GitProject {
  const folder = join(realpathSync(tempFolder()), name);
  mkdirSync(folder);
  const project = openGitProject(folder);
  project.git("init", "--quiet", "--initial-branch=main");
  project.git("config", "user.name", "Ann");
  project.git("config", "user.email", "ann@example.org");
  project.commit("readme.txt", "one\ntwo\n");
  return project;
}

export function openGitProject(folder: string): GitProject {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("GIT_")));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8" }).trim();
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  return {
    folder,
    git,
    write,
    commit(file, text) {
      write(file, text);
      git("add", "--", file);
      git("commit", "--quiet", "-m", `write ${file}`);
      return git("rev-parse", "HEAD");
    },
  };
}
