import type { HubClient } from "../../client/hub-client.js";
import type { McpAgent } from "../../demo/mcp-agent.js";
import { HubError } from "../../model/errors.js";
import type { CliContext, DefineCommand } from "../context.js";
import { clearDemoPlace, type DemoPlace, openDemoPlace } from "../demo-place.js";
import { openDesk, wantsDesk } from "../desk/open-desk.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "../exit-codes.js";
import { createNarrator } from "../narrator.js";
import { readTyped } from "../read-typed.js";
import { takeSignals } from "../take-signals.js";
import { usageError } from "../usage-error.js";
import { stopHub } from "./down.js";

type Show = { place: DemoPlace; agents: McpAgent[]; signal: AbortSignal; fast: boolean };

const LOOK_MS = 5_000;

export const define: DefineCommand = (command, act) => {
  command
    .option("--fast", "leave no time to read and wait for no answer, as a smoke test")
    .addHelpText(
      "after",
      "\nScripted agents on a hub of their own, in a temporary folder: no account, no network, and your own hub\n" +
        "and files are not touched. The exit code is 0 only if every step was seen to happen.\n" +
        "\nExamples:\n  huddle demo\n  huddle demo --no-open      print a link to the desk, open no browser\n" +
        "  huddle demo --fast --json  as a smoke test",
    )
    .action(({ fast }: { fast?: true }) => act((cli) => demo(cli, fast === true)));
};

async function demo(cli: CliContext, fast: boolean): Promise<number> {
  if ((cli.io.env["HUDDLE_HOSTED"] ?? "") !== "") {
    throw usageError(
      "The demo does not run inside an agent that a hub runs",
      "Run it in a terminal of your own",
    );
  }
  const { signal, release } = takeSignals(cli.io);
  const place = openDemoPlace(cli);
  const agents: McpAgent[] = [];
  // Whatever else ends the program, such as a pipe that nobody reads any more.
  const atExit = () => {
    for (const agent of agents) agent.kill();
    clearDemoPlace(place.home);
  };
  process.once("exit", atExit);
  try {
    await perform(cli, { place, agents, signal, fast });
    return EXIT_OK;
  } catch (error) {
    if (signal.aborted) return EXIT_INTERRUPTED;
    throw withAdvice(error);
  } finally {
    await leave(place, agents);
    process.off("exit", atExit);
    release();
    createNarrator(cli).say(`${cli.output.colors.green("✓")} The demo has ended; nothing of it is left`);
  }
}

async function perform(cli: CliContext, { place, agents, signal, fast }: Show): Promise<void> {
  const [{ ensureHub }, { playDemo, sceneCount }, { hubEnvironment }] = await Promise.all([
    import("../ensure-hub.js"),
    import("../../demo/play-demo.js"),
    import("../hub-environment.js"),
  ]);
  const { colors } = cli.output;
  const narrator = createNarrator(cli, sceneCount);
  narrator.say("Huddle demo: scripted agents in a temporary folder. Ctrl-C ends it and removes everything.");
  const { health } = await ensureHub(place.cli, { set: [], throwAway: true });
  signal.throwIfAborted();
  narrator.say(`${colors.green("✓")} A hub of its own is up at ${health.url}`);
  const client = await place.cli.client();
  if (!fast && !cli.output.json) await showDesk(place.cli, health.url, client);
  const typed = readTyped(cli.io);
  try {
    const scenes = await playDemo({
      client,
      narrator,
      bridge: place.bridge,
      env: hubEnvironment(place.cli.io.env, place.home),
      project: place.project,
      fast,
      typed,
      signal,
      onAgent: (agent) => agents.push(agent),
    });
    cli.output.result(
      { ok: true, scenes },
      () =>
        `\n${colors.green("✓")} Seen: ${scenes.length} of ${scenes.length}. Now with your own agents:\n` +
        "    huddle connect             lets the agents that you run find each other\n" +
        "    huddle spawn claude-code   has the hub run one for you",
    );
    if (fast || cli.output.json || !typed.isPerson) return;
    narrator.say("\nThe desk is still there: look around. Enter or Ctrl-C ends the demo.");
    await typed.line(signal);
  } finally {
    typed.end();
  }
}

/** Without a browser the demo goes on just as well. */
async function showDesk(cli: CliContext, url: string, client: HubClient): Promise<void> {
  await openDesk(cli, { url, client, print: !wantsDesk(cli) });
}

/** In reverse of how it came to be; whatever does not end by itself is ended. */
async function leave({ cli, home }: DemoPlace, agents: readonly McpAgent[]): Promise<void> {
  await Promise.all(agents.map((agent) => agent.end()));
  cli.close();
  const { lookAtHomeHub } = await import("../home-hub.js");
  const hub = await lookAtHomeHub(cli.paths, LOOK_MS).catch(() => undefined);
  // One that does not stop is ended with its folder.
  if (hub?.kind === "up") await stopHub(cli, hub.health.pid, true).catch(() => {});
  clearDemoPlace(home);
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof HubError) || error.details["hint"] !== undefined) return error;
  const hint = "huddle doctor says what is wrong with this machine";
  return new HubError(error.code, error.message, { ...error.details, hint }, { cause: error });
}
