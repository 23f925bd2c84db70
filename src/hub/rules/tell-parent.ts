import { type Agent, HUMAN_ID } from "../../model/agent.js";
import type { NewEvent } from "../../model/events.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";
import { notify } from "./notify.js";
import { isPresent } from "./present-agent.js";

/**
 * Tells whoever spawned an agent what went wrong with it. It informs and starts no turn: an agent that spawns what fails
 * would otherwise go on forever.
 */
export function tellParent(
  context: HubContext,
  agent: Agent,
  what: string,
  why: string,
  ...then: string[]
): NewEvent[] {
  const parent = agent.parent ?? HUMAN_ID;
  if (parent !== HUMAN_ID && !isPresent(context.views, parent)) return [];
  const name = addressOf(context.views, agent, teamOf(context.views, parent));
  return [
    notify(context, {
      to: [parent],
      type: "system",
      content: [`Agent ${name}, which you spawned, ${what}: ${why}.`, ...then].join(" "),
      attention: "fyi",
      notice: "failure",
      metadata: { failure: agent.name, reason: why },
    }),
  ];
}
