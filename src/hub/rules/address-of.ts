import { DEFAULT_TEAM, fullAddress } from "../../model/address.js";
import type { Agent, AgentId, Recipient } from "../../model/agent.js";
import type { Message } from "../../model/message.js";
import type { TightViews } from "../../views/tight.js";

type Views = Pick<TightViews, "roster">;

/** In whose team a plain name is looked for first: the reader's own, which is the default one for the person. */
export function teamOf({ roster }: Views, reader: AgentId): string {
  return roster.byId(reader)?.team ?? DEFAULT_TEAM;
}

/** The shortest address by which this reader can write to the agent. */
export function addressOf(
  { roster }: Views,
  agent: Pick<Agent, "name" | "team"> & Partial<Pick<Agent, "hub">>,
  readersTeam: string | undefined,
): string {
  const { hub = null } = agent;
  // The name of a peer, where an agent here has that too.
  if (hub !== null)
    return agent.name !== hub || roster.teamsOf(hub).length === 0 ? agent.name : `${hub}@${hub}`;
  const isPlain =
    agent.team === readersTeam || roster.teamsOf(agent.name).every((team) => team === agent.team);
  return isPlain ? agent.name : fullAddress(agent);
}

/** The same for many who are here. */
export function addressesOf({ roster }: Views, agents: readonly Recipient[], readersTeam: string): string[] {
  const shared = roster.sharedNames();
  return agents.map((agent) =>
    shared.has(agent.name) && agent.team !== readersTeam ? fullAddress(agent) : agent.name,
  );
}

/** The same for somebody who may have left or been renamed since: the name stays what it was then. */
export function addressThen(views: Views, agent: AgentId, name: string, reader: AgentId): string {
  const known = views.roster.byId(agent);
  if (known === undefined) return name;
  return addressOf(views, { name, team: known.team, hub: known.hub }, teamOf(views, reader));
}

/** Who has it now, by the shortest address; by the name of then where nobody is known any more. */
export function addressNow(views: Views, agent: AgentId, then: string, reader: AgentId): string {
  const known = views.roster.byId(agent);
  return known === undefined ? then : addressOf(views, known, teamOf(views, reader));
}

/** A message under names that its reader can use. */
export function forReader(views: Views, message: Message, reader: AgentId): Message {
  const fromName = addressThen(views, message.from, message.fromName, reader);
  const [only] = message.to;
  const isToOne = message.to.length === 1 && only?.name === message.toName;
  const toName = isToOne && only ? addressThen(views, only.agent, only.name, reader) : message.toName;
  return fromName === message.fromName && toName === message.toName
    ? message
    : { ...message, fromName, toName };
}
