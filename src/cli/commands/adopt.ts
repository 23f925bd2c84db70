import { Option } from "commander";
import { adoptSessions, renderSession } from "../adopt-sessions.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { usageError } from "../usage-error.js";

type AdoptOptions = { name?: string; socket?: string; team?: string; backend?: string };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[target]", "the pane, as tmux names it: %3, work:1.2, a session's name")
    .option("--name <name>", "the agent's name")
    .option("--socket <socket>", "the tmux server: a name as for tmux -L, or a path as for -S")
    .option("--team <team>", "its team")
    .option("--backend <backend>", "what runs in the pane, where that cannot be told")
    .addOption(
      new Option(
        "--all",
        "every agent-TEAM-NAME session that is no agent yet, by the name and team in it",
      ).conflicts(["name", "team"]),
    )
    .action((target: string | undefined, { all, ...options }: AdoptOptions & { all?: true }) =>
      act((cli) => {
        if (all !== true && target !== undefined) return adopt(cli, target, options);
        if (all === true && target === undefined) return adoptAll(cli, options);
        throw usageError(
          all === true ? "A pane and --all together mean nothing" : "Which pane?",
          "Name one as tmux list-panes -a shows it, or say --all for every agent-* session",
        );
      }),
    );
};

async function adopt(cli: CliContext, target: string, options: AdoptOptions): Promise<number> {
  const client = await cli.client();
  const adopted = await client.adopt({ target, ...options }, { timeoutMs: cli.timeoutMs(20_000) });
  cli.output.confirm(
    adopted,
    () =>
      `${cli.output.colors.green("✓")} ${escapeLine(adopted.name)} is ${escapeLine(adopted.backend)} in pane ${escapeLine(adopted.pane)}; its mail is typed there`,
  );
  if (adopted.bridged === true)
    cli.output.note(
      `It was the agent ${escapeLine(adopted.name)} already, by its own bridge, and keeps its name, team and inbox.`,
    );
  return EXIT_OK;
}

/** Fails when a session is left that could not be adopted. */
async function adoptAll(
  cli: CliContext,
  { socket, backend }: Pick<AdoptOptions, "socket" | "backend">,
): Promise<number> {
  const client = await cli.client();
  const server = {
    ...(socket === undefined ? {} : { socket }),
    ...(backend === undefined ? {} : { backend }),
  };
  const { panes } = await client.panes(socket === undefined ? {} : { socket });
  const sessions = await adoptSessions(cli, client, panes, server);
  cli.output.result({ sessions }, () => {
    if (sessions.length > 0) return sessions.map((one) => renderSession(one, cli.output.colors)).join("\n");
    const where = socket === undefined ? "your tmux server" : `the tmux server ${escapeLine(socket)}`;
    return `No agent-* sessions on ${where}.`;
  });
  return sessions.some(({ outcome }) => outcome === "skipped") ? EXIT_FAILED : EXIT_OK;
}
