import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import type { AgentList } from "../../client/hub-client.js";
import type { AgentStatus } from "../../model/agent.js";
import { listEverybody } from "../agent-names.js";
import { momentAhead, relativeTime } from "../amounts.js";
import type { DefineCommand } from "../context.js";
import { deskFooter } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import type { Colors, Output } from "../output.js";
import { renderTmux } from "../render-tmux.js";
import type { Cell } from "../table.js";
import { renderTable } from "../table.js";

type Agents = AgentList["agents"];

const HEADER = ["NAME", "STATUS", "TEAM", "PROJECT", "BACKEND", "LAST ACTIVE"];

export const define: DefineCommand = (command, act) => {
  command.option("--team <team>", "only those of this team").action(({ team }: { team?: string }) =>
    act(async (cli) => {
      const { agents, peers } = await listEverybody(await cli.client(), team);
      const footer = await deskFooter(cli, "agents/NAME");
      const elsewhere = peers.length === 0 ? "" : `\n\n${renderPeers(peers, cli.output.colors)}`;
      cli.output.result({ agents, ...(peers.length === 0 ? {} : { peers }) }, () => {
        if (agents.length > 0) return render(agents, cli.io.now(), cli.output) + elsewhere + footer;
        const none = noAgents(team);
        return none + elsewhere;
      });
    }),
  );
};

type Peers = NonNullable<AgentList["peers"]>;

function renderPeers(peers: Peers, colors: Colors): string {
  return renderTable(
    ["ON OTHER HUBS", "STATUS", "KNOWN BY"].map((text) => ({ text, paint: colors.dim })),
    peers.map(({ name, status, evidence, person }) => [
      { text: escapeLine(person === true ? `${name} (the person)` : name), paint: colors.bold },
      { text: `${glyphs[status].glyph} ${status}`, paint: colors[glyphs[status].color] },
      escapeLine(evidence),
    ]),
  );
}

function noAgents(team: string | undefined): string {
  return team === undefined
    ? "No agents yet. Start one: huddle spawn claude-code"
    : `No agent is in team "${escapeLine(team)}".`;
}

/** Why each is run as it is stands beside that, or below where the terminal is too narrow for it. */
function render(agents: Agents, now: number, { colors, width = Number.POSITIVE_INFINITY }: Output): string {
  const wide = table(agents, now, colors, (agent) => reasonOf(agent));
  if (wide.split("\n").every((line) => stringWidth(stripVTControlCharacters(line)) <= width)) return wide;
  const reasons = agents.flatMap((agent) => {
    const reason = reasonOf(agent);
    return reason === undefined
      ? []
      : [colors.dim(`${escapeLine(agent.name)} is run by ${agent.runtime}: ${escapeLine(reason)}`)];
  });
  return [table(agents, now, colors, () => undefined), ...reasons].join("\n");
}

/** That nothing stood against the usual way need not be said. */
function reasonOf({ runtime, runtimeReason }: Agents[number]): string | undefined {
  return runtime === undefined || runtimeReason === "preferred" ? undefined : runtimeReason;
}

function table(
  agents: Agents,
  now: number,
  colors: Colors,
  reason: (agent: Agents[number]) => string | undefined,
): string {
  const inTmux = agents.some(({ tmux }) => tmux !== undefined);
  const header = inTmux ? [...HEADER, "PANE"] : HEADER;
  return renderTable(
    header.map((text) => ({ text, paint: colors.dim })),
    agents.map((agent) => [
      { text: escapeLine(nameAndLabel(agent)), paint: colors.bold },
      stateCell(agent, now, colors),
      escapeLine(agent.team),
      escapeLine(agent.project ?? "–"),
      escapeLine(backendOf(agent, reason(agent))),
      relativeTime(Date.parse(agent.lastActive), now),
      ...(inTmux ? [renderTmux(agent.tmux) ?? "–"] : []),
    ]),
  );
}

/** With how the hub runs it, where it does. */
function backendOf({ backend, runtime }: Agents[number], reason: string | undefined): string {
  if (runtime === undefined) return backend ?? "–";
  return `${backend ?? "–"} (${runtime}${reason === undefined ? "" : `: ${reason}`})`;
}

function nameAndLabel({ name, label }: Agents[number]): string {
  return label === null ? name : `${name} (${label})`;
}

const glyphs: Readonly<
  Record<AgentStatus, { glyph: string; color: "green" | "yellow" | "red" | "dim" | "reset" }>
> = {
  starting: { glyph: "○", color: "dim" },
  idle: { glyph: "○", color: "reset" },
  busy: { glyph: "●", color: "green" },
  waiting: { glyph: "◔", color: "yellow" },
  listening: { glyph: "◔", color: "reset" },
  rate_limited: { glyph: "⏳", color: "yellow" },
  limited: { glyph: "⏳", color: "yellow" },
  stalled: { glyph: "!", color: "yellow" },
  error: { glyph: "⚠", color: "red" },
  dormant: { glyph: "○", color: "dim" },
  offline: { glyph: "◌", color: "dim" },
  dead: { glyph: "✕", color: "red" },
};

/** A glyph and the word: never colour alone. */
function stateCell({ state, until, paused }: Agents[number], now: number, colors: Colors): Cell {
  const { glyph, color } = glyphs[state];
  const end = until === undefined ? "" : ` until ${momentAhead(Date.parse(until), now)}`;
  const still = paused === true ? ", paused" : "";
  return { text: `${glyph} ${state}${end}${still}`, paint: colors[paused === true ? "yellow" : color] };
}
