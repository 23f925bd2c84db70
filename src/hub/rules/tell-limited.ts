import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import type { NewEvent } from "../../model/events.js";
import { untilWords } from "../../model/until-words.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";
import { notify } from "./notify.js";
import { isPresent } from "./present-agent.js";

type Limited = { words: string; until?: number | undefined; deliveries: readonly DeliveryRef[] };

/**
 * Tells that an agent reached its vendor's usage limit: the person, whoever spawned it, and those whose mail it was at. It
 * informs, so it starts no turn. Whoever writes to it later reads it from the receipt.
 */
export function tellLimited(
  context: HubContext,
  agent: Agent,
  { words, until, deliveries }: Limited,
): NewEvent[] {
  const senders = deliveries.map(({ from }) => from);
  const told = new Set([HUMAN_ID, agent.parent ?? HUMAN_ID, ...senders]);
  return [...told].flatMap((to) => {
    if (to === HUB_ID || (to !== HUMAN_ID && !isPresent(context.views, to))) return [];
    return [tell(context, agent, to, { words, until, mine: senders.includes(to) })];
  });
}

function tell(
  context: HubContext,
  agent: Agent,
  to: AgentId,
  { words, until, mine }: Pick<Limited, "words" | "until"> & { mine: boolean },
): NewEvent {
  const name = addressOf(context.views, agent, teamOf(context.views, to));
  const then = until === undefined ? "Huddle tries again from time to time" : "Huddle goes on with it then";
  const waits = mine ? "Your mail to it waits" : "Its mail waits";
  return notify(context, {
    to: [to],
    type: "system",
    content: `Agent ${name} has reached its vendor's usage limit${untilWords(until)}: "${words}". ${waits}; ${then}.`,
    attention: "fyi",
    notice: "limit",
    metadata: { limit: name, ...(until === undefined ? {} : { until: new Date(until).toISOString() }) },
  });
}
