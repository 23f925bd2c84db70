import { InvalidArgumentError, Option } from "commander";
import { HubError } from "../../model/errors.js";
import type { CliContext, DefineCommand } from "../context.js";
import { runThrownAway } from "../demo-place.js";
import { openDesk, wantsDesk } from "../desk/open-desk.js";
import type { EnsureOptions } from "../ensure-hub.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_OK } from "../exit-codes.js";
import { collect } from "../globals.js";

type UpOptions = {
  foreground?: true;
  unlessRunning?: true;
  throwAway?: true;
  port?: number;
  set: string[];
};

export const define: DefineCommand = (command, act) => {
  command
    .option("--foreground", "run the hub here, until Ctrl-C")
    .option("--unless-running", "with --foreground: end without an error if a hub runs already")
    .addOption(new Option("--throw-away", "of the demo: end with it, and remove its folder").hideHelp())
    .option("--port <number>", "listen on this port; 0 picks a free one", parsePort)
    .option("--set <key=value>", "override a setting; may be given several times", collect, [])
    .action((options: UpOptions) =>
      act((cli) => (options.foreground === true ? runHere(cli, options) : start(cli, options))),
    );
};

async function runHere(cli: CliContext, options: UpOptions): Promise<number> {
  try {
    return options.throwAway === true
      ? await runThrownAway(cli, (signal) => runHub(cli, options, signal))
      : await runHub(cli, options);
  } catch (error) {
    const isAnother = error instanceof HubError && error.code === "HUB_RUNNING";
    if (!isAnother || options.unlessRunning !== true) throw error;
    cli.output.note(`${error.message}. This one is not needed.`);
    return EXIT_OK;
  }
}

async function runHub(cli: CliContext, { set, port }: UpOptions, signal?: AbortSignal): Promise<number> {
  const { io, output } = cli;
  const daemon = await io.loadDaemon();
  return daemon.runHub({
    set,
    ...(port === undefined ? {} : { port }),
    json: output.json,
    write: (line) => void io.stdout.write(`${line}\n`),
    ...(output.width === undefined
      ? {}
      : { onReady: (url: string) => void welcome(cli, url, "another terminal") }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The desk, where one is wanted, and what to do next. The hub runs just as well without. */
async function welcome(
  cli: CliContext,
  url: string,
  where: "here" | "another terminal",
  { desk = true } = {},
): Promise<void> {
  const [{ homeTarget }, { createClient }, { sayNext }] = await Promise.all([
    import("../../client/connect.js"),
    import("../../client/http-client.js"),
    import("../say-next.js"),
  ]);
  const client = createClient({ ...homeTarget(cli.paths, { url, pid: 0 }), timeoutMs: cli.timeoutMs() });
  const why = (error: unknown) => (error instanceof Error ? error.message : String(error));
  try {
    if (desk && wantsDesk(cli))
      await openDesk(cli, { url, client }).catch((error: unknown) =>
        cli.output.note(`The desk could not be opened: ${why(error)}`),
      );
    await sayNext(cli, client, where);
  } catch (error) {
    cli.output.note(`The hub was not asked what it found: ${why(error)}`);
  } finally {
    client.close();
  }
}

/** What `huddle` alone does. */
export async function startAndOpen(cli: CliContext): Promise<void> {
  const { url } = await startAndShow(cli, { set: [] });
  if (cli.output.width !== undefined) await welcome(cli, url, "here");
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
  const { url } = await startAndShow(cli, options);
  if (cli.output.width !== undefined) await welcome(cli, url, "here", { desk: false });
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("Give a number from 0 to 65535.");
}
