import { InvalidArgumentError } from "commander";
import type { CliContext, DefineCommand } from "../context.js";
import type { EnsureOptions } from "../ensure-hub.js";
import { escapeLine } from "../escape-text.js";
import { collect } from "../globals.js";

type UpOptions = { foreground?: true; port?: number; set: string[] };

export const define: DefineCommand = (command, act) => {
  command
    .option("--foreground", "run the hub here, until Ctrl-C")
    .option("--port <number>", "listen on this port; 0 picks a free one", parsePort)
    .option("--set <key=value>", "override a setting; may be given several times", collect, [])
    .action((options: UpOptions) =>
      act((cli) => (options.foreground === true ? runHere(cli, options) : startAndShow(cli, options))),
    );
};

async function runHere({ io, output }: CliContext, { set, port }: UpOptions): Promise<number> {
  const daemon = await io.loadDaemon();
  return daemon.runHub({
    set,
    ...(port === undefined ? {} : { port }),
    json: output.json,
    write: (line) => void io.stdout.write(`${line}\n`),
  });
}

export async function startAndShow(cli: CliContext, options: EnsureOptions): Promise<void> {
  const { ensureHub } = await import("../ensure-hub.js");
  const { health, started } = await ensureHub(cli, options);
  const { url, pid, data } = health;
  cli.output.result({ url, pid, data, token_file: cli.paths.token, started }, () => {
    const where = `at ${escapeLine(url)} (pid ${pid})`;
    return `${cli.output.colors.green("✓")} Huddle is ${started ? "up" : "already up"} ${where}`;
  });
  if (health.error !== undefined) cli.output.note(`It has a problem: ${health.error}`);
  if (!started && (options.port !== undefined || options.set.length > 0)) {
    cli.output.note("It keeps the settings it was started with: `huddle down` first to change them.");
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("Give a number from 0 to 65535.");
}
