import type { HubClient } from "../../client/hub-client.js";
import { pairActions } from "../../model/pair.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { type Network, renderNetwork } from "../render-network.js";
import { usageError } from "../usage-error.js";
import { watchScreen } from "../watch-screen.js";

type Options = { watch?: boolean };

export const define: DefineCommand = (command, act) => {
  command
    .argument("[action]", "pause, resume or reset")
    .argument("[from]", "whose messages")
    .argument("[to]", "to whom")
    .option("-w, --watch", "show it anew every second, until Ctrl+C")
    .addHelpText(
      "after",
      "\nWithout arguments it lists who writes to whom, how fast, what is held back and why," +
        "\nand conversations with how much of their budget they have used." +
        "\nA paused pair's messages wait until you resume it; reset lets its cooldown begin anew.",
    )
    .action(
      (action: string | undefined, from: string | undefined, to: string | undefined, options: Options) =>
        act((cli) => {
          if (action !== undefined) return decide(cli, action, from, to);
          return options.watch === true ? watch(cli) : list(cli);
        }),
    );
};

async function watch(cli: CliContext): Promise<number> {
  const client = await cli.client();
  const { colors } = cli.output;
  return watchScreen(
    cli,
    () => look(client),
    (network, width) => renderNetwork(network, { now: cli.io.now(), colors, width }),
  );
}

async function list(cli: CliContext): Promise<void> {
  const network = await look(await cli.client());
  const { colors, width } = cli.output;
  cli.output.result(network, () => renderNetwork(network, { now: cli.io.now(), colors, width }));
}

/** More held messages than these are counted only. */
const MOST_HELD = 10;
const MOST_CONVERSATIONS = 20;

async function look(client: HubClient): Promise<Network> {
  const [pairs, held, paused, open] = await Promise.all([
    client.pairs(),
    client.held({ limit: MOST_HELD }),
    client.conversations({ limit: MOST_CONVERSATIONS }),
    client.conversations({ state: "open", limit: MOST_CONVERSATIONS }),
  ]);
  return { ...pairs, held, conversations: [...paused.conversations, ...open.conversations] };
}

async function decide(
  cli: CliContext,
  action: string,
  from: string | undefined,
  to: string | undefined,
): Promise<void> {
  const known = pairActions.find((one) => one === action);
  if (known === undefined || from === undefined || to === undefined)
    throw usageError("Say what to do with which pair", "huddle network pause|resume|reset FROM TO");
  const client = await cli.client();
  const decided = await client.decidePair(await findAgent(client, from), await findAgent(client, to), known);
  const { green } = cli.output.colors;
  cli.output.confirm(decided, () => {
    const pair = `${escapeLine(decided.from)} → ${escapeLine(decided.to)}`;
    const mail =
      decided.released === 1
        ? "1 held message can be read now"
        : `${decided.released} held messages can be read now`;
    const what = {
      pause: "is paused: its messages wait until you resume it",
      resume: `goes on; ${mail}`,
      reset: `has no cooldown now; ${mail}`,
    }[known];
    return `${green("✓")} ${pair} ${what}`;
  });
}
