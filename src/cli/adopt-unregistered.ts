import type { HubClient, PaneList } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import { adoptSessions, renderSession } from "./adopt-sessions.js";
import { askYes, canAsk } from "./ask-yes.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";
import { usageError } from "./usage-error.js";

type Wanted = { yes: boolean; socket: string | undefined };
/** The agents that came of it, by name; and the sessions that could not be adopted. */
type Unregistered = { adopted: string[]; skipped: string[] };

/** Before a broadcast to everybody: the `agent-*` sessions that are no agents yet become some, if whoever asks says so. */
export async function adoptUnregistered(
  cli: CliContext,
  client: HubClient,
  { yes, socket }: Wanted,
): Promise<Unregistered> {
  const server = socket === undefined ? {} : { socket };
  const { panes } = await listPanes(cli, client, server);
  const unregistered = panes.filter(({ agent }) => agent === undefined);
  const free = unregistered.filter(({ problem }) => problem === undefined);
  if (free.length > 0 && !yes) await confirmAdoption(cli, free);
  const sessions = await adoptSessions(cli, client, unregistered, server);
  for (const one of sessions) cli.output.note(renderSession(one, cli.output.colors));
  return {
    adopted: sessions.flatMap((one) => (one.outcome === "adopted" ? [one.agent] : [])),
    skipped: sessions.flatMap((one) => (one.outcome === "skipped" ? [one.session] : [])),
  };
}

/** Without tmux there are no sessions, and to an agent they are none of its business: it writes to those that are there. */
async function listPanes(cli: CliContext, client: HubClient, server: { socket?: string }): Promise<PaneList> {
  try {
    return await client.panes(server, { timeoutMs: cli.timeoutMs() });
  } catch (error) {
    const isNone = error instanceof HubError && ["RUNTIME_UNAVAILABLE", "FORBIDDEN"].includes(error.code);
    if (!isNone) throw error;
    if (error.code === "FORBIDDEN")
      cli.output.note(
        "Only the operator can adopt sessions of tmux; this goes to the agents that are there.",
      );
    return { panes: [] };
  }
}

async function confirmAdoption(cli: CliContext, free: PaneList["panes"]): Promise<void> {
  const names = free.map(({ session }) => escapeLine(session)).join(", ");
  const count = free.length === 1 ? "1 session is no agent yet" : `${free.length} sessions are no agents yet`;
  const wayOut =
    "Adopt them with --yes (or huddle adopt --all), or leave --all out to write only to the agents that are there";
  if (!canAsk(cli)) throw usageError(`Nothing was sent: ${count}: ${names}`, wayOut);
  for (const { session, pane, backend = "" } of free)
    cli.io.stderr.write(`  ${escapeLine(session)} (${escapeLine(backend)}, pane ${escapeLine(pane)})\n`);
  const question = `${count}. Adopt ${free.length === 1 ? "it" : "them"} and send?`;
  if (!(await askYes(cli, question)))
    throw new HubError("NOT_DELIVERED", "Nothing was sent", { hint: wayOut });
}
