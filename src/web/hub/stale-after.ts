import type { ShownEvent } from "../../contract/events/events.js";

/* What was fetched and is no longer so after an event. */

type Types = ReadonlySet<ShownEvent["type"]>;

/** What waits for the person. */
const needs: Types = new Set<ShownEvent["type"]>([
  "PermissionRequested",
  "PermissionAnswered",
  "ConversationPaused",
  "ConversationResumed",
  "ConversationFrozen",
  "BudgetReached",
  "BudgetDecided",
  "StepWaiting",
  "StepDecided",
  "WorkflowEnded",
  "AgentDeregistered",
  "PresenceChanged",
]);

/** Who writes to whom, and what is held back. */
const network: Types = new Set<ShownEvent["type"]>([
  "MessageAccepted",
  "MessagesOffered",
  "MessageReleased",
  "MessageExpired",
  "DeliveriesFailed",
  "PairPaused",
  "PairResumed",
  "PairReset",
  "ConversationPaused",
  "ConversationResumed",
  "ConversationFrozen",
  "PresenceChanged",
  "AgentPaused",
  "AgentResumed",
  "AgentRenamed",
  "AgentDeregistered",
]);

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
    ...(needs.has(type) ? [["needs"]] : []),
    ...(network.has(type) ? [["network"]] : []),
    ...(pauses.has(type) ? [["pauses"]] : []),
    ...(event.type === "TurnEnded" || event.type === "MessagesInjected" ? [["turns", event.data.agent]] : []),
    ...(type === "TurnEnded" ? [["usage"]] : []),
  ];
}
