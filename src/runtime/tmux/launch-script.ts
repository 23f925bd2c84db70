import { randomUUID } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Prepared, prepareTui } from "../backends/prepare-launch.js";
import type { Launch } from "../runtime.js";
import type { CliName } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";

/*
 * tmux gives a command its own environment and expands formats in folders and names, and what is passed with `-e` stands
 * in an argv that everybody can read. So the pane runs a script of ours: it keeps of tmux's environment only what the
 * terminal needs, sets the agent's, goes to its folder, removes itself and becomes the CLI.
 */

type PaneCommand = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
};

const kept = "TMUX|TMUX_PANE|TERM|PWD";

export async function writeLaunchScript(folder: string, command: PaneCommand): Promise<string> {
  const file = join(folder, "launch.sh");
  const { TERM: _, ...env } = command.env; // the pane's terminal is tmux, not the one that the hub was started in
  const lines = [
    `for name in $(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'); do`,
    `  case $name in ${kept}) ;; *) unset "$name" ;; esac`,
    "done",
    ...Object.entries(env)
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
      .map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd ${quote(command.cwd)} || exit 126`,
    `rm -f ${quote(file)}`,
    `exec ${command.argv.map(quote).join(" ")}`,
    "",
  ];
  await writeFile(file, lines.join("\n"), { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
}

/** As one word of a shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How the CLI's own screen is started, and the vendor's session where it can be chosen in advance. */
type TuiCommand = Prepared & { session?: string };

export async function tuiCommand(cli: CliName, launch: Launch): Promise<TuiCommand> {
  const prepared = await prepareTui(launch);
  if (launch.resume !== undefined) return { ...prepared, session: launch.resume };
  const { newSession } = vendorOfCli(cli);
  if (newSession === undefined) return prepared;
  const session = randomUUID();
  const [command = "", ...args] = prepared.argv;
  return { ...prepared, argv: [command, newSession, session, ...args], session };
}
