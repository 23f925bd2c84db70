import { fullAddress, parseAddress } from "../../model/address.js";
import type { Agent, AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { nearest } from "../../model/nearest.js";
import type { PeerName } from "../../model/peer.js";
import { replaceUnsafe } from "../../model/unsafe-text.js";
import { isUuid } from "../../model/uuid7.js";
import type { TightViews } from "../../views/tight.js";
import { addressOf, teamOf } from "./address-of.js";

/** How many names an error lists: enough to find the right one, not a thousand. */
const LISTED = 50;

/**
 * Whom an address means: a plain name is that of the reader's own team, else of the only one in the hub who has it. An id
 * is taken for an id, so that nobody gets another's mail by calling itself so.
 */
export type Meant =
  | { kind: "agent"; agent: Agent }
  /** By its id: one that lives on another hub. */
  | { kind: "peer"; agent: Agent; hub: PeerName }
  /** It gave that name up lately. */
  | { kind: "renamed"; agent: Agent }
  /** Several, none in the reader's own team. */
  | { kind: "ambiguous"; name: string; teams: readonly string[] }
  | { kind: "gone" }
  | { kind: "malformed" }
  | { kind: "elsewhere"; hub: string; name: string; team: string | undefined }
  | { kind: "nobody" };

/** The agent of this hub that an address means to this reader, or a refusal that says who exists. */
export function findAgent(views: TightViews, address: string, reader: AgentId): Agent {
  const meant = resolve(views, address, reader);
  if (meant.kind === "agent") return meant.agent;
  throw refuse(views, address, reader, meant);
}

/** The same, also by a name that it gave up lately; undefined where nobody is meant. */
export function recallAgent(views: TightViews, address: string, reader: AgentId): Agent | undefined {
  const meant = resolve(views, address, reader);
  return meant.kind === "agent" || meant.kind === "renamed" ? meant.agent : undefined;
}

/** The same, unless it is on its way out: an agent that was started for a task still has its name while it ends. */
export function stayingAgent(views: TightViews, address: string, reader: AgentId): Agent | undefined {
  const agent = recallAgent(views, address, reader);
  return agent?.ending === null ? agent : undefined;
}

/** `instead`: what can be named in its place. */
export function checkStays(
  { name, ending }: Agent,
  instead = "another agent, or a backend to start one on",
): void {
  if (ending === null) return;
  throw new HubError("AGENT_GONE", `Agent "${name}" is being shut down; name ${instead}`);
}

export function resolve(views: TightViews, address: string, reader: AgentId): Meant {
  const { roster } = views;
  if (isUuid(address)) {
    const agent = roster.byId(address.toLowerCase());
    if (agent !== undefined && agent.goneAt !== null) return { kind: "gone" };
    if (agent !== undefined && agent.hub !== null) return { kind: "peer", agent, hub: agent.hub };
    if (agent !== undefined) return { kind: "agent", agent };
  }
  const parsed = parseAddress(address);
  if (parsed === undefined) return { kind: "malformed" };
  const { name, hub } = parsed;
  if (hub !== undefined) return { kind: "elsewhere", hub, name, team: parsed.team };
  if (parsed.team !== undefined) return inTeam(views, name, parsed.team) ?? absent(views, name, parsed.team);

  const own = inTeam(views, name, teamOf(views, reader));
  if (own !== undefined) return own;
  const teams = roster.teamsOf(name);
  const [only] = teams;
  if (teams.length > 1) return { kind: "ambiguous", name, teams };
  return (only === undefined ? undefined : inTeam(views, name, only)) ?? absent(views, name, undefined);
}

function inTeam({ roster }: TightViews, name: string, team: string): Meant | undefined {
  const agent = roster.byName(name, team);
  if (agent !== undefined) return { kind: "agent", agent };
  // Who gave the name up is here: that is newer than anybody of that name who left.
  const held = roster.heldName(name, team);
  const holder = held === undefined ? undefined : roster.byId(held.agent);
  return holder === undefined ? undefined : { kind: "renamed", agent: holder };
}

/** Nobody has exactly that name. */
function absent({ roster }: TightViews, name: string, team: string | undefined): Meant {
  const instances = roster.byInstance(name).filter((agent) => team === undefined || agent.team === team);
  const [agent] = instances;
  if (agent !== undefined) {
    return instances.length === 1
      ? { kind: "agent", agent }
      : { kind: "ambiguous", name, teams: instances.map((one) => one.team) };
  }
  return { kind: roster.goneByName(name, team) === undefined ? "nobody" : "gone" };
}

/** Some who can be written to, by the addresses that this reader can use. */
export function availableTo(views: TightViews, reader: AgentId, limit = LISTED): string[] {
  const team = teamOf(views, reader);
  return views.roster.list({ limit }).map((agent) => addressOf(views, agent, team));
}

export function refuse(views: TightViews, address: string, reader: AgentId, meant: Meant): HubError {
  const hub = hubIn(views, address, meant);
  const shown = replaceUnsafe(address.slice(0, 80), () => "?");
  if (hub !== undefined) return livesElsewhere(shown, hub);
  const available = availableTo(views, reader);
  switch (meant.kind) {
    case "renamed": {
      const renamedTo = addressOf(views, meant.agent, teamOf(views, reader));
      return new HubError("AGENT_NOT_FOUND", "Agent not found", {
        name: shown,
        available,
        renamed_to: renamedTo,
      });
    }
    case "ambiguous": {
      const { name, teams } = meant;
      const ambiguous = teams.map((team) => fullAddress({ team, name })).sort();
      return new HubError(
        "NAME_AMBIGUOUS",
        `"${shown}" is the name of several agents: write ${ambiguous.slice(0, 5).join(", or ")}`,
        { name: shown, available: ambiguous },
      );
    }
    case "gone":
      return new HubError("AGENT_GONE", `Agent "${shown}" has left and takes no more mail`, { available });
    case "malformed":
      return new HubError(
        "TARGET_INVALID",
        `"${shown}" is not an address: write a name, such as ana or ana-2, or team/name, such as alpha/ana`,
        { name: shown, available, ...suggestion(address.toLowerCase(), available) },
      );
    case "elsewhere":
      return new HubError(
        "HUB_NOT_FOUND",
        `No hub "${meant.hub}" is linked to this one; write the part before "@" to reach an agent here`,
        { name: shown, hub: meant.hub, available },
      );
    default:
      return new HubError("AGENT_NOT_FOUND", "Agent not found", {
        name: shown,
        available,
        ...suggestion(address, available),
      });
  }
}

/** The peer that the address leads to, if it leads to one. */
function hubIn({ peers }: TightViews, address: string, meant: Meant): PeerName | undefined {
  if (meant.kind === "peer") return meant.hub;
  const hub = meant.kind === "elsewhere" ? meant.hub : address;
  const isPossible = meant.kind === "elsewhere" || meant.kind === "nobody" || meant.kind === "gone";
  return isPossible && peers.byName(hub) !== undefined ? hub : undefined;
}

/** For whoever wants more of an agent than to write to it. */
export function livesElsewhere(address: string, hub: PeerName): HubError {
  return new HubError(
    "AGENT_ELSEWHERE",
    `"${address}" lives on the hub "${hub}": from here it can be written to, and nothing else; for the rest ask it, or whoever runs that hub`,
    { name: address, hub },
  );
}

function suggestion(address: string, available: readonly string[]) {
  const meant = nearest(address, available);
  return meant === undefined ? {} : { did_you_mean: meant };
}
