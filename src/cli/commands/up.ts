import { InvalidArgumentError } from "commander";
import type { CliContext, DefineCommand } from "../context.js";
import { openDesk, wantsDesk } from "../desk/open-desk.js";
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
      act((cli) => (options.foreground === true ? runHere(cli, options) : start(cli, options))),
    );
};

async function runHere(cli: CliContext, { set, port }: UpOptions): Promise<number> {
  const { io, output } = cli;
  const daemon = await io.loadDaemon();
  return daemon.runHub({
    set,
    ...(port === undefined ? {} : { port }),
    json: output.json,
    write: (line) => void io.stdout.write(`${line}\n`),
    ...(wantsDesk(cli) ? { onReady: (url: string) => void showDesk(cli, url) } : {}),
  });
}

/** Without the desk the hub runs just as well. */
async function showDesk(cli: CliContext, url: string): Promise<void> {
  const { homeTarget } = await import("../../client/connect.js");
  const { createClient } = await import("../../client/http-client.js");
  const client = createClient({ ...homeTarget(cli.paths, { url, pid: 0 }), timeoutMs: cli.timeoutMs() });
  try {
    await openDesk(cli, { url, client });
  } catch (error) {
    cli.output.note(
      `The desk could not be opened: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    client.close();
  }
}

/** What `huddle` alone does. */
export async function startAndOpen(cli: CliContext): Promise<void> {
  const { url } = await startAndShow(cli, { set: [] });
  if (wantsDesk(cli)) await showDesk(cli, url);
}

async function startAndShow(cli: CliContext, options: EnsureOptions): Promise<{ url: string }> {
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
  return { url };
}

async function start(cli: CliContext, options: EnsureOptions): Promise<void> {
  await startAndShow(cli, options);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("Give a number from 0 to 65535.");
}
