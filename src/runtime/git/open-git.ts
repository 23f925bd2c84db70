import { failed, type GitAnswer, type GitOptions, runGit } from "./run-git.js";

/** Runs git in one folder, without the programs that the repository's own configuration names. */
export type Git = {
  folder: string;
  run(args: readonly string[], options?: Omit<GitOptions, "settings">): Promise<GitAnswer>;
  /** What it printed, or a refusal with what it said. */
  ask(args: readonly string[], options?: Omit<GitOptions, "settings">): Promise<string>;
  /** Keys of the repository's own configuration that name programs: filters and merge drivers, turned off here. */
  programs: readonly string[];
};

/**
 * Agents may write the configuration in a repository's `.git`, where a filter is a command that git runs at every checkout
 * and every comparison. The person's own configuration, in their home, counts as it is.
 */
export async function openGit(folder: string): Promise<Git> {
  const listed = await runGit(folder, ["config", "--list", "--show-scope", "--name-only", "-z"]);
  const programs = listed.code === 0 ? ownPrograms(listed.stdout) : [];
  const settings = programs.flatMap((key) => (key.startsWith("filter.") ? [`${key}=${offValue(key)}`] : []));
  const run: Git["run"] = (args, options = {}) => runGit(folder, args, { ...options, settings });
  return {
    folder,
    run,
    async ask(args, options) {
      const answer = await run(args, options);
      if (answer.code === 0) return answer.stdout;
      throw failed(`git ${args[0] ?? ""} failed in ${folder}: ${said(answer)}`);
    },
    programs,
  };
}

/** What git said, as one line. */
export function said({ code, stderr, stdout }: GitAnswer): string {
  const words = (stderr.trim() === "" ? stdout : stderr).trim().replace(/\s*\n\s*/g, "; ");
  return words === "" ? `it ended with code ${code}` : words.slice(0, 500);
}

const PROGRAM = /^(filter\..+\.(clean|smudge|process|required)|merge\..+\.driver)$/s;

function ownPrograms(listed: string): string[] {
  const parts = listed.split("\0");
  const keys: string[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [scope, key = ""] = [parts[i], parts[i + 1]];
    if ((scope === "local" || scope === "worktree") && PROGRAM.test(key)) keys.push(key);
  }
  return [...new Set(keys)];
}

function offValue(key: string): string {
  return key.endsWith(".required") ? "false" : "";
}
