import type { HubClient, PaneList } from "../client/hub-client.js";
import { HubError, type HubErrorCode } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";

type AgentPane = PaneList["panes"][number];

/** What became of one `agent-*` session. */
export type AdoptedSession = { session: string; pane: string } & (
  | { outcome: "adopted"; agent: string; team?: string; instance?: string; backend: string }
  | { outcome: "already"; agent: string }
  | { outcome: "skipped"; reason: string }
);

type Server = { socket?: string; backend?: string };

/** The hub waits for the start of each for a while. */
const ADOPT_MS = 20_000;

/** These are of the hub as a whole: the next session would fare no better. */
const endsAll: readonly HubErrorCode[] = [
  "HUB_UNREACHABLE",
  "SHUTTING_DOWN",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "STORAGE_FULL",
];

/** Adopts those that are nobody's, one after the other: the first gets the name that two of them ask for. */
export async function adoptSessions(
  cli: CliContext,
  client: HubClient,
  panes: readonly AgentPane[],
  server: Server,
): Promise<AdoptedSession[]> {
  const done: AdoptedSession[] = [];
  for (const one of panes) done.push(await adoptSession(cli, client, one, server));
  return done;
}

async function adoptSession(
  cli: CliContext,
  client: HubClient,
  { session, pane, name, team, instance, agent, bridged, problem }: AgentPane,
  { socket, backend }: Server,
): Promise<AdoptedSession> {
  const at = { session, pane };
  if (agent !== undefined && bridged === undefined) return { ...at, outcome: "already", agent };
  // What is wrong with its screen may be that it cannot be told what runs in it, which was said here.
  if (agent === undefined && (name === undefined || (problem !== undefined && backend === undefined)))
    return { ...at, outcome: "skipped", reason: problem ?? "its name cannot be an agent's" };
  // An agent by its own bridge is called as it calls itself.
  const who = agent === undefined ? { name, team, instance } : {};
  const options = { timeoutMs: cli.timeoutMs(ADOPT_MS) };
  try {
    const adopted = await client.adopt({ target: pane, socket, backend, ...who }, options);
    return {
      ...at,
      outcome: "adopted",
      agent: adopted.name,
      ...(who.team === undefined ? {} : { team: who.team }),
      ...(who.instance === undefined ? {} : { instance: who.instance }),
      backend: adopted.backend,
    };
  } catch (error) {
    if (!(error instanceof HubError) || endsAll.includes(error.code)) throw error;
    return { ...at, outcome: "skipped", reason: error.message };
  }
}

export function renderSession(one: AdoptedSession, colors: Colors): string {
  const session = escapeLine(one.session);
  switch (one.outcome) {
    case "adopted": {
      const team = one.team === undefined ? "" : ` of team ${escapeLine(one.team)}`;
      return `${colors.green("✓")} ${session}: adopted as ${escapeLine(one.agent)}${team} (${escapeLine(one.backend)}, pane ${escapeLine(one.pane)})`;
    }
    case "already":
      return `${colors.dim("–")} ${session}: already adopted, it is ${escapeLine(one.agent)}`;
    case "skipped":
      return `${colors.yellow("!")} ${session}: skipped: ${escapeLine(one.reason)}`;
  }
}
