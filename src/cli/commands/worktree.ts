import { counted, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { renderTable } from "../table.js";

/** A merge or a diff in a large repository takes its time. */
const TIMEOUT_MS = 120_000;

const HEADER = ["WORKTREE", "AGENT", "STATE", "CHANGES", "MADE", "FOLDER"];

export const define: DefineCommand = (command, act) => {
  command
    .command("list", { isDefault: true })
    .description("list the git worktrees that agents work in, or left with changes")
    .action(() => act(list));
  command
    .command("diff")
    .description("show what was changed in one, committed or not")
    .argument("<name>", "the worktree")
    .action((name: string) => act((cli) => diff(cli, name)));
  command
    .command("merge")
    .description("merge its branch into the branch that the project is on")
    .argument("<name>", "the worktree")
    .action((name: string) => act((cli) => merge(cli, name)));
  command
    .command("rm")
    .description("remove it with its branch, if nothing would be lost")
    .argument("<name>", "the worktree")
    .option("-f, --force", "with all changes in it")
    .action((name: string, { force }: { force?: boolean }) =>
      act((cli) => remove(cli, name, force === true)),
    );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const { worktrees } = await client.worktrees();
  const { colors } = cli.output;
  cli.output.result({ worktrees }, () => {
    if (worktrees.length === 0)
      return "No worktrees.\n  Start an agent in one: huddle spawn codex --worktree";
    return renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      worktrees.map(({ name, agent, state, made, path, ...size }) => [
        { text: escapeLine(name), paint: colors.bold },
        escapeLine(agent),
        state === "made" ? "in use" : state,
        size.files === null ? "" : `${counted(size.commits ?? 0, "commit")}, ${counted(size.files, "file")}`,
        relativeTime(Date.parse(made), cli.io.now()),
        escapeLine(path),
      ]),
      cli.output.width,
    );
  });
}

async function diff(cli: CliContext, name: string): Promise<void> {
  const client = await cli.client();
  const answer = await client.worktreeDiff(name, { timeoutMs: cli.timeoutMs(TIMEOUT_MS) });
  cli.output.result(answer, () => (answer.diff === "" ? "Nothing was changed." : escapeBlock(answer.diff)));
  if (answer.cut) cli.output.note("This is the beginning of a longer diff.");
}

async function merge(cli: CliContext, name: string): Promise<void> {
  const client = await cli.client();
  const merged = await client.mergeWorktree(name, { timeoutMs: cli.timeoutMs(TIMEOUT_MS) });
  cli.output.confirm(merged, () => {
    const { green } = cli.output.colors;
    const [branch, into] = [escapeLine(merged.branch), escapeLine(merged.into)];
    return merged.changed
      ? `${green("✓")} ${branch} is merged into ${into} (${merged.commit.slice(0, 8)})\n  Remove the worktree: huddle worktree rm ${escapeLine(name)}`
      : `${into} had everything of ${branch} already`;
  });
}

async function remove(cli: CliContext, name: string, force: boolean): Promise<void> {
  const client = await cli.client();
  const removed = await client.removeWorktree(name, force ? { force } : {}, {
    timeoutMs: cli.timeoutMs(TIMEOUT_MS),
  });
  cli.output.confirm(
    removed,
    () => `${cli.output.colors.green("✓")} The worktree ${escapeLine(name)} and its branch are removed`,
  );
}
