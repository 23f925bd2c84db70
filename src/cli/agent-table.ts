import type { AgentList } from "../client/hub-client.js";
import { stateCell, stateWord } from "./agent-state.js";
import { shortSpan } from "./amounts.js";
import { escapeLine } from "./escape-text.js";
import type { Colors } from "./output.js";
import { renderTmux } from "./render-tmux.js";
import { type Cell, renderTable } from "./table.js";
import { wrapText } from "./wrap-text.js";

type Agents = AgentList["agents"];
type Agent = Agents[number];
type Peers = NonNullable<AgentList["peers"]>;

type Look = { now: number; colors: Colors; width: number | undefined; home: string };

/** Who is here, in which state for how long, how much waits for each, and what it is on. */
export function renderAgents(agents: Agents, look: Look): string {
  const { now, colors, width } = look;
  const hasTeams = new Set(agents.map(({ team }) => team)).size > 1;
  const header = ["NAME", "STATUS", "FOR", "UNREAD", ...(hasTeams ? ["TEAM"] : []), "ON"];
  const rows = agents.map((agent): Cell[] => [
    { text: escapeLine(nameAndLabel(agent)), paint: colors.bold },
    stateCell(agent, now, colors),
    shortSpan(now - Date.parse(agent.since)),
    unreadCell(agent, colors),
    ...(hasTeams ? [escapeLine(agent.team)] : []),
    onWhat(agent, look.home),
  ]);
  return [
    renderTable(
      header.map((text) => ({ text, paint: colors.dim })),
      rows,
      width,
    ),
    ...agents.flatMap((agent) => reasonLine(agent, look)),
  ].join("\n");
}

/** Those of linked hubs, as they told. */
export function renderPeers(peers: Peers, colors: Colors, width: number | undefined): string {
  return renderTable(
    ["ON OTHER HUBS", "STATUS", "KNOWN BY"].map((text) => ({ text, paint: colors.dim })),
    peers.map(({ name, status, evidence, person }) => [
      { text: escapeLine(person === true ? `${name} (the person)` : name), paint: colors.bold },
      stateWord(status, colors),
      escapeLine(evidence),
    ]),
    width,
  );
}

export function nameAndLabel({ name, label }: Agent): string {
  return label === null ? name : `${name} (${label})`;
}

/** An older hub, and an agent's token, do not tell. */
export function unreadCell({ unread }: Agent, colors: Colors): Cell {
  if (unread === undefined) return "–";
  return unread === 0 ? "0" : { text: String(unread), paint: colors.yellow };
}

/** `"Review the auth module" for user · ~/shop · claude-code (acp)`. */
export function onWhat({ on, project, backend, runtime, tmux }: Agent, home: string): string {
  const work = on === undefined ? "" : `"${on.text}"${on.for === null ? "" : ` for ${on.for}`}`;
  const where = project === null ? "" : shortPath(project, home);
  const cli = runtime === undefined ? (backend ?? "") : `${backend ?? "–"} (${runtime})`;
  const parts = [work, where, cli, renderTmux(tmux) ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "–" : escapeLine(parts.join(" · "));
}

function shortPath(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** That nothing stood against the usual way need not be said. */
function reasonLine({ name, runtime, runtimeReason }: Agent, { colors, width }: Look): string[] {
  if (runtime === undefined || runtimeReason === undefined || runtimeReason === "preferred") return [];
  const line = `${escapeLine(name)} is run by ${runtime}: ${escapeLine(runtimeReason)}`;
  return wrapText(line, width).split("\n").map(colors.dim);
}
