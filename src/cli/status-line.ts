import type { AgentList } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import { isAway } from "./agent-state.js";
import { counted } from "./amounts.js";
import type { CliContext } from "./context.js";
import { EXIT_OK } from "./exit-codes.js";
import { readNeeds } from "./read-inbox.js";

/** A prompt does not wait for a hub. */
const PATIENCE_MS = 1000;
const MOST_AGENTS = 1000;

/** `5 agents · 2 busy · 1 needs you`. Whatever keeps it from being known, a prompt is no place to say so. */
export async function printStatusLine(cli: CliContext): Promise<number> {
  try {
    const client = await cli.client();
    const options = { timeoutMs: cli.timeoutMs(PATIENCE_MS) };
    const [{ agents }, { items }] = await Promise.all([
      client.listAgents({ limit: MOST_AGENTS }, options),
      readNeeds(client),
    ]);
    const found = { agents: agents.filter((agent) => !isAway(agent)), needs: items.length };
    const facts = { agents: found.agents.length, busy: countBusy(found.agents), needs_you: found.needs };
    cli.output.result(facts, () => statusLine(facts));
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (cli.output.json) cli.output.result({ agents: null, busy: null, needs_you: null }, () => "");
  }
  return EXIT_OK;
}

function countBusy(agents: AgentList["agents"]): number {
  return agents.filter(({ state }) => state === "busy").length;
}

function statusLine({
  agents,
  busy,
  needs_you,
}: {
  agents: number;
  busy: number;
  needs_you: number;
}): string {
  return [
    counted(agents, "agent"),
    ...(busy === 0 ? [] : [`${busy} busy`]),
    ...(needs_you === 0 ? [] : [`${needs_you} ${needs_you === 1 ? "needs" : "need"} you`]),
  ].join(" · ");
}
