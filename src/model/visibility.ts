import { assertNever } from "./assert-never.js";
import type { EventOf, HubEvent } from "./events.js";
import { maySee } from "./mail-visibility.js";
import { shownEvidence } from "./shown-evidence.js";
import type { Viewer } from "./viewer.js";

/**
 * The event as this viewer may see it, or null. Credentials are for nobody, the roster and broadcasts are for
 * everybody, other mail is for its two ends; of a batch that was handed to another agent a sender sees only its own messages.
 */
export function asSeenBy(event: HubEvent, viewer: Viewer): HubEvent | null {
  if (isHidden(event)) return null;
  if (viewer.kind === "operator") return event;
  const me = viewer.id;
  switch (event.type) {
    case "AgentRegistered":
    case "AgentRenamed":
    case "AgentUpdated":
    case "AgentDeregistered":
    case "NameReleased":
    case "RequestOpened":
    case "RequestClaimed":
    case "RequestReopened":
    case "RequestNudged":
    case "RequestExpired":
    case "MailForwarded":
    case "WorkClaimed":
    case "WorkReleased":
    case "MemoryShared":
      return event;
    case "PresenceChanged": {
      const evidence = shownEvidence(event.data, viewer);
      return evidence === event.data.evidence ? event : { ...event, data: { ...event.data, evidence } };
    }
    case "CallbackDue":
    case "CallbackDone":
      return event.data.agent === me || event.data.from === me ? event : null;
    case "RequestAnswered":
      return event.data.from === me || event.data.by === me ? event : null;
    case "PairPaused":
    case "PairResumed":
    case "PairReset":
      return viewer.role === "orchestrator" || event.data.from === me ? event : null;
    case "ConversationPaused":
    case "ConversationResumed":
    case "ConversationFrozen":
    case "AllPaused":
    case "AllResumed":
      return viewer.role === "orchestrator" ? event : null;
    case "SpawnRequested":
    case "AgentStarted":
    case "SpawnFailed":
    case "PaneAdopted":
    case "PaneLetGo":
    case "SessionChanged":
    case "AgentCrashed":
    case "AgentStopped":
    case "ShutdownRequested":
    case "KillRequested":
    case "AgentPaused":
    case "AgentResumed":
      return viewer.role === "orchestrator" || event.data.agent === me ? event : null;
    // What an agent costs is the person's and its own.
    case "BudgetReached":
    case "BudgetDecided":
      return viewer.role === "orchestrator" || event.data.key === me ? event : null;
    case "TaskAssigned":
      return event.data.task.by === me || event.data.task.agent === me ? event : null;
    case "WorktreePlanned": {
      const { agent, by } = event.data.worktree;
      return viewer.role === "orchestrator" || agent === me || by === me ? event : null;
    }
    case "WorktreeMade":
    case "WorktreeKept":
    case "WorktreeRemoved":
      return viewer.role === "orchestrator" || event.data.agent === me || event.data.by === me ? event : null;
    // What an agent answered is for its two ends alone.
    case "TaskStarted":
    case "TaskAnswered":
    case "TaskChecked":
    case "TaskReturned":
    case "TaskEnded":
      return event.data.by === me || event.data.agent === me ? event : null;
    // Its arguments are the operator's configuration.
    case "CheckAllowed":
    case "CheckForgotten":
      return null;
    // Prompts, answers and what the person said of them are for whoever runs the workflow.
    case "WorkflowCreated":
      return event.data.workflow.by === me ? event : null;
    case "StepStarted":
    case "StepWaiting":
    case "StepDecided":
    case "StepEnded":
    case "StepsReset":
    case "WorkflowEnded":
      return event.data.by === me ? event : null;
    // What an agent says in a turn may be about anybody's mail; a permission request is between it and the person.
    case "TurnEnded":
    case "PermissionAnswered":
      return event.data.agent === me ? event : null;
    case "PermissionRequested":
      return event.data.permission.agent === me ? event : null;
    // Whom the hub is linked with, and where those are, is the person's.
    case "PeerAdded":
    case "PeerChanged":
    case "PeerRemoved":
    case "EpochBegun":
    case "LinkGap":
      return null;
    case "PeerAgentMet":
    case "PeerAgentChanged":
      return viewer.role === "orchestrator" ? event : null;
    case "MessageAccepted":
      return maySee(event.data.message, viewer) ? event : null;
    case "MessagesOffered": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesInjected": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesSeen": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesFinished": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesReturned": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesKeptWaiting": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessagesMixed": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "DeliveriesFailed": {
      if (event.data.agent === me) return event;
      const deliveries = event.data.deliveries.filter((delivery) => delivery.from === me);
      return deliveries.length > 0 ? { ...event, data: { ...event.data, deliveries } } : null;
    }
    case "MessageAnswered":
    case "MessageReleased":
    case "MessageExpired":
      return event.data.agent === me || event.data.delivery.from === me ? event : null;
    default:
      return assertNever(event);
  }
}

type Hidden = EventOf<
  "CredentialIssued" | "AlarmFired" | "FramesNumbered" | "FramesAcknowledged" | "FramesReceived"
>;

/** Credentials, and what the hub keeps books of. */
function isHidden(event: HubEvent): event is Hidden {
  switch (event.type) {
    case "CredentialIssued":
    case "AlarmFired":
    case "FramesNumbered":
    case "FramesAcknowledged":
    case "FramesReceived":
      return true;
    default:
      return false;
  }
}
