import type { ShownType } from "../contract/events/events.js";

/* What was fetched and is no longer so after an event, by the event's type. */

/** What waits for the person; besides, what happens to mail to the person. */
const needs: ReadonlySet<string> = new Set<ShownType>([
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
const network: ReadonlySet<string> = new Set<ShownType>([
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

export function changesNeeds(type: string): boolean {
  return needs.has(type);
}

export function changesNetwork(type: string): boolean {
  return network.has(type);
}
