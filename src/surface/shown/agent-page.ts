import type { Agent } from "../../model/agent.js";
import type { KnownElsewhere } from "../../model/peer-desk.js";
import type { HubPorts } from "../ports.js";

type PageQuery = { team?: string | undefined; cursor?: string | undefined; limit: number };

/** Sorts behind every team: a cursor that is only a name stands behind all that have it. */
const LAST = "~";
/** How a cursor among those of other hubs begins; no name does. */
const ELSEWHERE = "@";

type AgentPage = { page: Agent[]; elsewhere: readonly KnownElsewhere[]; next: string | null };

/**
 * Present agents by name and team, then those of other hubs, which have no team here; `next` is the cursor of the page after, or null.
 */
export function agentPage(ports: Pick<HubPorts, "views" | "peers">, query: PageQuery): AgentPage {
  const { cursor, limit, team } = query;
  if (cursor?.startsWith(ELSEWHERE) === true) {
    return { page: [], ...elsewhereAfter(ports, cursor.slice(ELSEWHERE.length), limit) };
  }
  const own = ownPage(ports, query);
  if (own.next !== null || team !== undefined) return { ...own, elsewhere: [] };
  return { page: own.page, ...elsewhereAfter(ports, "", limit - own.page.length) };
}

function ownPage({ views: { roster } }: Pick<HubPorts, "views">, { team, cursor, limit }: PageQuery) {
  const [name = "", of = LAST] = cursor?.split("/") ?? [];
  const after = cursor === undefined ? undefined : { name, team: of };
  const found = roster.list({ team, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next: found.length > limit && last !== undefined ? `${last.name}/${last.team}` : null };
}

function elsewhereAfter({ peers }: Pick<HubPorts, "peers">, place: string, limit: number) {
  const [, hub = place] = place.split("@");
  const rest = peers.elsewhere().filter((one) => one.hub > hub || (one.hub === hub && one.name > place));
  const elsewhere = rest.slice(0, limit);
  const last = elsewhere.at(-1)?.name ?? place;
  return { elsewhere, next: rest.length > limit ? `${ELSEWHERE}${last}` : null };
}
