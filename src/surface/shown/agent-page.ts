import type { Agent } from "../../model/agent.js";
import type { TightViews } from "../../views/tight.js";

type PageQuery = { team?: string | undefined; cursor?: string | undefined; limit: number };

/** Sorts behind every team: a cursor that is only a name stands behind all that have it. */
const LAST = "~";

/** Present agents by name and team; `next` is the cursor of the page after, or null. */
export function agentPage(
  { roster }: Pick<TightViews, "roster">,
  { team, cursor, limit }: PageQuery,
): { page: Agent[]; next: string | null } {
  const [name = "", of = LAST] = cursor?.split("/") ?? [];
  const after = cursor === undefined ? undefined : { name, team: of };
  const found = roster.list({ team, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next: found.length > limit && last !== undefined ? `${last.name}/${last.team}` : null };
}
