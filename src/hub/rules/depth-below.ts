import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { HubContext } from "../context.js";

/** The person's agents are at depth 0; delegation does not go on forever. */
export function depthBelow(parent: AgentId | undefined, { views, limits }: HubContext): number {
  const above = parent === undefined ? undefined : views.roster.byId(parent);
  const depth = above === undefined ? 0 : above.depth + 1;
  if (depth > limits.depth) {
    throw new HubError(
      "DEPTH_LIMIT",
      `"${above?.name}" is ${above?.depth} spawns below the person, and may not spawn more (limit ${limits.depth})`,
      { depth, limit: limits.depth },
    );
  }
  return depth;
}
