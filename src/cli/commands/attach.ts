import { spawn } from "node:child_process";
import { HubError } from "../../model/errors.js";
import { attachCommand } from "../attach-command.js";
import type { CliContext, DefineCommand } from "../context.js";
import { findAgent } from "../find-agent.js";
import { followLiveOutput } from "../follow-live-output.js";
import { usageError } from "../usage-error.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<agent>", "its pane is shown; of one without a pane, what it says and does")
    .option("--print", "print the command instead of running it")
    .addHelpText(
      "after",
      "\nLeave a pane as you leave any tmux session: Ctrl-b d. Else: Ctrl-C. The agent stays.",
    )
    .action((agent: string, options: { print?: true }) => act((cli) => attach(cli, agent, options)));
};

/** Answers with tmux's own exit code; of an agent without a pane its live output is shown. */
async function attach(cli: CliContext, given: string, { print }: { print?: true }): Promise<number> {
  const client = await cli.client();
  const name = await findAgent(client, given);
  const { tmux, runtime, state } = await client.showAgent(name);
  if (tmux === undefined && print !== true && runtime !== null && runtime !== "tmux") {
    if (!cli.output.json)
      cli.output.note(`It runs by ${runtime}, without a screen. This is what it does; Ctrl-C leaves it.`);
    return followLiveOutput(cli, name);
  }
  if (tmux === undefined) throw noPane(name, runtime, state);
  const { pane, socket } = tmux;
  if (socket === undefined)
    throw new HubError("FORBIDDEN", "Only the person attaches to panes: this token is an agent's");
  const { argv, nested } = attachCommand({ pane, socket }, cli.io.env["TMUX"]);
  if (print === true || cli.output.json) {
    cli.output.result({ command: argv, ...tmux }, () => argv.join(" "));
    return 0;
  }
  if (cli.io.stdout.isTTY !== true)
    throw usageError("This is no terminal to attach to", `Run it in one: ${argv.join(" ")}`);
  return run(argv, nested ? { ...cli.io.env, TMUX: undefined } : cli.io.env);
}

function noPane(name: string, runtime: string | null, state: string): HubError {
  if (runtime === "tmux")
    return new HubError("TARGET_INVALID", `"${name}" has no pane open now (${state})`, {
      hint: `A message opens it: huddle send ${name} hello`,
    });
  const how = runtime === null ? "you started it yourself" : `it runs by ${runtime}, without a screen`;
  return new HubError("TARGET_INVALID", `"${name}" has no pane: ${how}`, {
    hint: `Follow what it does: huddle tail ${name} --live`,
  });
}

function run([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    child.once("error", () => {
      reject(usageError("tmux cannot be run here", "Install the package tmux, or put it on your PATH"));
    });
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
