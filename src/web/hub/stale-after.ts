import { changesNeeds, changesNetwork } from "../../client/stale-views.js";
import type { ShownEvent } from "../../contract/events/events.js";

/* What was fetched and is no longer so after an event. */

type Types = ReadonlySet<ShownEvent["type"]>;

/** What stands still. */
const pauses: Types = new Set<ShownEvent["type"]>([
  "PairPaused",
  "PairResumed",
  "ConversationPaused",
  "ConversationResumed",
  "ConversationFrozen",
  "BudgetReached",
  "BudgetDecided",
]);

export function staleAfter(event: ShownEvent): string[][] {
  const { type } = event;
  return [
    ...(changesNeeds(type) ? [["needs"]] : []),
    ...(changesNetwork(type) ? [["network"]] : []),
    ...(pauses.has(type) ? [["pauses"]] : []),
    ...(event.type === "TurnEnded" || event.type === "MessagesInjected" ? [["turns", event.data.agent]] : []),
    ...(type === "TurnEnded" ? [["usage"]] : []),
  ];
}
