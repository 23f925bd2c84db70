import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { renderTable } from "../table.js";

const HEADER = ["CHECK", "RUNS", "ALLOWED IN"];

export const define: DefineCommand = (command, act) => {
  command
    .command("list", { isDefault: true })
    .description("list the checks of huddle.yaml, and where each may run without asking you")
    .action(() => act(list));
  command
    .command("allow")
    .description("let a check run in a project from now on")
    .argument("<name>", "the check; worktree.setup is what makes worktrees ready")
    .option("-C, --project <folder>", "where it may run; default: this folder")
    .action((name: string, { project = "." }: { project?: string }) =>
      act((cli) => allow(cli, name, project)),
    );
  command
    .command("forget")
    .description("take that back, so that you are asked again")
    .argument("<name>", "the check")
    .option("-C, --project <folder>", "only there; default: in all projects")
    .action((name: string, { project }: { project?: string }) => act((cli) => forget(cli, name, project)));
  command.addHelpText(
    "after",
    "\nA check runs code that agents wrote, so you are asked before its first run in a project; what you answer with always is listed here.",
  );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const answer = await client.checks();
  const { colors } = cli.output;
  cli.output.result(answer, () => {
    if (answer.checks.length === 0)
      return "No checks.\n  Define them in huddle.yaml: checks: { unit: [npm, test] }";
    const rows = answer.checks.flatMap(({ name, argv, projects }) => {
      const runs = argv === null ? "not in huddle.yaml any more" : argv.join(" ");
      const where = projects.map(({ project, argv: then }) =>
        argv !== null && isSame(argv, then) ? project : `${project} (as it was then: ${then.join(" ")})`,
      );
      return (where.length === 0 ? ["nowhere yet: you are asked"] : where).map((place, nth) => [
        { text: nth === 0 ? escapeLine(name) : "", paint: colors.bold },
        nth === 0 ? escapeLine(runs) : "",
        escapeLine(place),
      ]);
    });
    return renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      rows,
      cli.output.width,
    );
  });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

async function allow(cli: CliContext, name: string, project: string): Promise<void> {
  const client = await cli.client();
  const allowed = await client.allowCheck(name, resolve(project));
  cli.output.confirm(allowed, () => {
    const [what, runs, where] = [allowed.name, allowed.argv.join(" "), allowed.project].map(escapeLine);
    return `${cli.output.colors.green("✓")} ${what} (${runs}) runs in ${where} from now on without asking you\n  Take it back: huddle checks forget ${what}`;
  });
}

async function forget(cli: CliContext, name: string, project: string | undefined): Promise<void> {
  const client = await cli.client();
  const where = project === undefined ? {} : { project: realFolder(project) };
  const forgotten = await client.forgetCheck(name, where);
  cli.output.confirm(forgotten, () => {
    const what = escapeLine(name);
    if (forgotten.projects.length === 0)
      return `${what} was allowed nowhere${project === undefined ? "" : " there"}. See: huddle checks`;
    const places = forgotten.projects.map(escapeLine).join(", ");
    return `${cli.output.colors.green("✓")} You are asked again before ${what} runs in ${places}`;
  });
}

/** The hub knows folders without links; one that is gone is known by its path. */
function realFolder(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch {
    return resolve(folder);
  }
}
