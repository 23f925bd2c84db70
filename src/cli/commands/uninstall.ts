import { existsSync } from "node:fs";
import { openQuestions } from "../ask-questions.js";
import { canAsk } from "../ask-yes.js";
import { homePath } from "../connect/config-world.js";
import { renderUndone, undoConnections } from "../connect/undo-connections.js";
import type { CliContext, DefineCommand } from "../context.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { lookAtHomeHub } from "../home-hub.js";
import { quoteWord } from "../quote-word.js";
import { openServiceManager } from "../service/open-service.js";
import { type RemovedService, removeService } from "../service/remove-service.js";
import { renderTable } from "../table.js";
import { stopHub } from "./down.js";

const EXAMPLES = `
It takes what huddle connect wrote out of the files of your CLIs, stops the hub after asking, and removes its service. Your messages stay.

Examples:
  huddle uninstall
  huddle uninstall --yes     stop the hub without asking`;

export const define: DefineCommand = (command, act) => {
  command
    .option("-y, --yes", "stop the hub without asking")
    .addHelpText("after", EXAMPLES)
    .action(({ yes }: { yes?: true }) => act((cli) => uninstall(cli, yes === true)));
};

async function uninstall(cli: CliContext, yes: boolean): Promise<number> {
  const { output } = cli;
  const undone = undoConnections(cli, undefined, false);
  const hub = await endHub(cli, yes);
  const service = await takeServiceOut(cli);
  const folders = dataFolders(cli).filter(({ path }) => existsSync(path));
  output.result(
    {
      files: undone.map(({ error, ...one }) => ({ ...one, error: error?.message ?? null })),
      hub,
      service,
      data: folders.map(({ path }) => path),
    },
    () =>
      [
        ...undone.map((one) => renderUndone(cli, one)),
        ...(undone.length === 0 ? ["huddle connect has written nothing here."] : []),
        ...hubLine(cli, hub),
        ...serviceLine(cli, service),
        ...dataLines(cli, folders),
        "Remove the program: npm uninstall -g huddle",
      ].join("\n"),
  );
  return undone.some(({ state }) => state === "failed") ? EXIT_FAILED : EXIT_OK;
}

type HubState = "not running" | "stopped" | "runs";

async function endHub(cli: CliContext, yes: boolean): Promise<HubState> {
  const home = await lookAtHomeHub(cli.paths, cli.timeoutMs());
  if (home.kind !== "up") return "not running";
  if (!yes && !(await askToStop(cli, home.health.pid))) return "runs";
  await stopHub(cli, home.health.pid, false);
  return "stopped";
}

/** After the hub: whether it stops was asked there. */
async function takeServiceOut(cli: CliContext): Promise<RemovedService> {
  if (process.platform !== "linux" && process.platform !== "darwin") return "none";
  return removeService(openServiceManager(cli), false);
}

function serviceLine({ output }: CliContext, service: RemovedService): string[] {
  if (service === "none" || service === "foreign") return [];
  return [`${output.colors.green("✓")} The hub does not start at login any more`];
}

async function askToStop(cli: CliContext, pid: number): Promise<boolean> {
  if (!canAsk(cli)) return false;
  const questions = openQuestions(cli);
  try {
    return await questions.ask(`Stop the hub (pid ${pid})? Agents that it runs end with it.`, "yes");
  } finally {
    await questions.close();
  }
}

function hubLine({ output }: CliContext, hub: HubState): string[] {
  if (hub === "stopped") return [`${output.colors.green("✓")} The hub is stopped`];
  return hub === "runs" ? [`${output.colors.yellow("!")} The hub still runs. Stop it: huddle down`] : [];
}

function dataFolders({ paths }: CliContext) {
  const folders = [
    { path: paths.data, holds: "messages, agents, tokens" },
    { path: paths.config, holds: "huddle.yaml, secrets in files" },
    { path: paths.state, holds: "logs" },
  ];
  // With HUDDLE_HOME they are one.
  return folders.filter(({ path }, i) => folders.findIndex((one) => one.path === path) === i);
}

function dataLines(cli: CliContext, folders: readonly { path: string; holds: string }[]): string[] {
  if (folders.length === 0) return ["No data of Huddle's is left."];
  const rows = folders.map(({ path, holds }) => [`  ${homePath(path, cli)}`, cli.output.colors.dim(holds)]);
  return [
    "Your data stays:",
    // Whole: a path that is cut cannot be found.
    renderTable(undefined, rows, undefined),
    `Delete it for good: rm -rf ${folders.map(({ path }) => quoteWord(path)).join(" ")}`,
    "Secrets in the keychain stay as well: huddle secret list shows them, huddle secret rm NAME removes one.",
  ];
}
