import { resolve } from "node:path";
import { Option } from "commander";
import { HubError } from "../../model/errors.js";
import {
  type PermissionPolicy,
  permissionPolicies,
  type RuntimeKind,
  runtimeKinds,
} from "../../model/hosting.js";
import { SETUP_CHECK } from "../../model/permission.js";
import { type ToolsetName, toolsetNames } from "../../model/toolset.js";
import { askYes, canAsk } from "../ask-yes.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import { shortId } from "../short-id.js";

type SpawnOptions = {
  backend?: string;
  name?: string;
  project?: string;
  team?: string;
  instance?: string;
  model?: string;
  runtime?: RuntimeKind;
  permissions?: PermissionPolicy;
  tools?: ToolsetName;
  worktree?: boolean;
  message?: string;
};

export const define: DefineCommand = (command, act) => {
  command
    .argument(
      "<backend>",
      "what it runs on, such as claude-code, codex, gemini, qwen, droid, opencode or copilot; with -b, its name",
    )
    .option("-b, --backend <backend>", "what it runs on, so that the argument is its name")
    .addOption(new Option("--name <name>", "its name; a taken one gets a number").conflicts("backend"))
    .option("-C, --project <folder>", "where it works; default: this folder")
    .option("--team <team>", "its team")
    .option("--instance <word>", "which of several of that name it is, in a pane")
    .option("--model <model>", "the model, as the CLI calls it")
    .addOption(new Option("--runtime <kind>", "how it is driven").choices([...runtimeKinds]))
    .addOption(
      new Option("--permissions <policy>", "what it may do without asking").choices([...permissionPolicies]),
    )
    .addOption(new Option("--tools <set>", "its set of tools").choices([...toolsetNames]))
    .option("--worktree", "it works in a git worktree of its own")
    .option("--no-worktree", "it works in the folder itself, whatever the configuration says")
    .option("-m, --message <text>", "its first message")
    .action((word: string, { backend, ...options }: SpawnOptions) => {
      const wanted =
        backend === undefined ? { ...options, backend: word } : { ...options, backend, name: word };
      return act((cli) => spawn(cli, wanted));
    });
};

/** Longer than the hub itself waits for the start. */
const TIMEOUT_MS = 20_000;

async function spawn(
  cli: CliContext,
  { project, ...wanted }: SpawnOptions & { backend: string },
): Promise<void> {
  const client = await cli.client();
  const start = () =>
    client.spawn({ ...wanted, project: resolve(project ?? ".") }, { timeoutMs: cli.timeoutMs(TIMEOUT_MS) });
  const spawned = await start().catch(async (error: unknown) => {
    if (!(await allowsSetUp(cli, error))) throw error;
    return start();
  });
  const link = (await deskLines(cli))({ page: "agent", name: spawned.name });
  cli.output.confirm(spawned, () => {
    const { colors } = cli.output;
    const name = escapeLine(spawned.name);
    const where = `in ${escapeLine(spawned.project ?? "")} (${shortId(spawned.id)})`;
    const state = spawned.state === "started" ? "is up" : "is being started";
    const pane = spawned.runtime === "tmux" ? `, in a tmux pane: huddle attach ${name}` : "";
    const hint =
      (spawned.hint === undefined ? "" : `\n  ${escapeLine(spawned.hint)}`) + sayTaken(wanted.name, name);
    if (spawned.state === "waiting")
      return `${colors.yellow("?")} ${name} waits for you ${where}: ${escapeLine(spawned.words ?? "")}\n  Answer it in the pane: huddle attach ${name}${hint}${link}`;
    return `${colors.green("✓")} ${name} ${state} ${where}${pane}${hint}${link}`;
  });
}

/** Mail to the name that was asked for goes to whoever has it. */
function sayTaken(asked: string | undefined, name: string): string {
  if (asked === undefined || name === asked || name.endsWith(`/${asked}`)) return "";
  const other = escapeLine(asked);
  return `\n  ${other} is another agent, with its own mail. If it is gone: huddle remove ${other}`;
}

/** Whoever is at the terminal can say at once whether a worktree may be made ready there. */
async function allowsSetUp(cli: CliContext, error: unknown): Promise<boolean> {
  if (!(error instanceof HubError) || error.code !== "SETUP_NOT_ALLOWED" || !canAsk(cli)) return false;
  const { project, argv } = error.details;
  if (typeof project !== "string" || !Array.isArray(argv)) return false;
  const runs = escapeLine(argv.map(String).join(" "));
  const question = `New worktrees are made ready by: ${runs}\nIt runs what is in ${escapeLine(project)}, where agents may have changed what it does. Allow it there from now on?`;
  if (!(await askYes(cli, question))) return false;
  const client = await cli.client();
  await client.allowCheck(SETUP_CHECK, project);
  return true;
}
