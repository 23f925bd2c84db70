import type { EventFrame } from "../client/event-stream.js";
import { readEvent, type ShownEvent } from "../contract/events/events.js";
import { assertNever } from "../model/assert-never.js";
import { dialogAct, type Permission } from "../model/permission.js";
import { sayBudget } from "../model/usage.js";
import type { AgentNames } from "./agent-names.js";
import { concerned } from "./agent-names.js";
import { clockTime, shortSpan } from "./amounts.js";
import { escapeLine } from "./escape-text.js";
import type { Output } from "./output.js";
import { describeWorkflow } from "./render-workflow-event.js";
import { shortenIds } from "./short-id.js";
import { shorten } from "./table.js";
import { indentText } from "./wrap-text.js";

const TIME_WIDTH = "12:35:01 ".length;

type EventLook = Pick<Output, "colors" | "width"> & { paintName?: (name: string) => string };

/** An event as one line: `12:35:01 janus-dev → puppet-dev  text…`. What needs the person is never cut. */
export function renderEvent(
  frame: EventFrame,
  names: AgentNames,
  { colors, width, paintName = colors.bold }: EventLook,
): string {
  const time = colors.dim(clockTime(Date.parse(frame.at)));
  const event = readEvent(frame);
  const fit = (text: string, used = 0) =>
    width === undefined ? text : shorten(text, Math.max(20, width - TIME_WIDTH - used));
  if (event?.type === "MessageAccepted") {
    const { message } = event.data;
    const from = escapeLine(names.named(message.from, message.fromName));
    const to = escapeLine(recipientOf(message, names));
    const kind = message.type === "message" ? "" : `${message.type}: `;
    const held = heldWords(message.to, Date.parse(frame.at));
    const used = from.length + to.length + held.length + " →   ".length;
    const text = fit(kind + oneLine(message.content), used);
    return `${time} ${paintName(from)} → ${paintName(to)}  ${colors.yellow(held)}${held === "" ? text : colors.dim(text)}`;
  }
  const text =
    event === undefined
      ? `${frame.type} ${JSON.stringify(frame.data)}`
      : describe(event, names, Date.parse(frame.at));
  const shown = escapeLine(event === undefined ? text : shortenIds(text));
  if (!shown.startsWith("? ")) return `${time} ${colors.dim(fit(shown))}`;
  const lines = indentText(shown, width, " ".repeat(TIME_WIDTH)).trimStart().split("\n");
  return `${time} ${lines.map(colors.yellow).join("\n")}`;
}

/** What a message waits for before it can be read; nothing where it can be at once. */
function heldWords(to: Accepted["to"], at: number): string {
  const [first] = to.flatMap(({ hold, pace }) =>
    hold !== undefined && hold.reason !== "cooldown"
      ? [`(held: ${holds[hold.reason] ?? escapeLine(hold.reason)}) `]
      : pace !== undefined && pace.due - at >= SECOND
        ? [`(comes in ${Math.round((pace.due - at) / SECOND)} s) `]
        : [],
  );
  return first ?? "";
}

const SECOND = 1000;

const holds: Readonly<Record<string, string>> = {
  budget: "you are asked",
  backstop: "until you write to an agent",
  paused: "the pair is paused",
};

type Accepted = Extract<ShownEvent, { type: "MessageAccepted" }>["data"]["message"];

function describe(
  event: Exclude<ShownEvent, { type: "MessageAccepted" }>,
  names: AgentNames,
  at: number,
): string {
  const who = names.of(concerned(event)[0] ?? "");
  switch (event.type) {
    case "AgentRegistered": {
      const backend = event.data.backend === null ? "" : `, ${event.data.backend}`;
      // One that the hub is to run has yet to start.
      const came = event.data.runtime === undefined ? "joined" : "is being started";
      return `+ ${event.data.name} ${came} (team ${event.data.team}${backend})${beside(event.data.name, names)}`;
    }
    case "AgentRenamed":
      return `${event.data.from} is now ${event.data.to}${event.data.toTeam === undefined ? "" : ` of team ${event.data.toTeam}`}`;
    case "AgentUpdated": {
      const { agent: _, ...changed } = event.data;
      return `${who} now has ${Object.entries(changed)
        .map(([key, value]) => (value === null ? `no ${key}` : `${key} ${value}`))
        .join(", ")}`;
    }
    case "AgentDeregistered":
      if (event.data.reason === "failed") return `- ${event.data.name} is gone again`;
      return `- ${event.data.name} ${event.data.reason === "removed" ? "was removed" : "left"}`;
    case "NameReleased":
      return `the name ${event.data.name} is free again`;
    case "PresenceChanged":
      return `${who} is ${event.data.status} (${event.data.evidence})`;
    case "MessagesOffered":
      return `${who} was handed ${count(event.data.deliveries.length)}`;
    case "MessagesSeen":
      return `${who} has read ${count(event.data.deliveries.length)}`;
    case "MessagesInjected":
      return `${who} took ${count(event.data.deliveries.length)} (${event.data.evidence})`;
    case "MessagesFinished":
      return `${who} is through with ${count(event.data.deliveries.length)} (${event.data.stop})`;
    case "MessagesReturned": {
      const waits = event.data.deliveries.length === 1 ? "waits" : "wait";
      return `${count(event.data.deliveries.length)} to ${who} ${waits} again (${event.data.reason})`;
    }
    case "MessagesKeptWaiting": {
      const waits = event.data.deliveries.length === 1 ? "waits" : "wait";
      return `! ${count(event.data.deliveries.length)} to ${who} ${waits} (${event.data.reason})`;
    }
    case "MessagesMixed":
      return `! ${who} got ${count(event.data.deliveries.length)} together with what was typed in its pane`;
    case "TurnEnded":
      if (event.data.error !== undefined) return `! ${who} ended its turn with an error: ${event.data.error}`;
      return event.data.text === "" ? `${who} ended its turn` : `${who}: ${oneLine(event.data.text)}`;
    case "SpawnRequested":
      if (event.data.runtime !== undefined)
        return `${who} is started by ${event.data.runtime} instead: ${event.data.runtimeReason}`;
      return `${who} is to be started, for ${names.of(event.data.by)}`;
    case "AgentStarted":
      return `${who} ${event.data.resumed ? "is back" : "has started"}`;
    case "SpawnFailed":
      return `! ${who} did not start: ${event.data.error}`;
    case "PaneAdopted":
      return `${who} gets its mail typed into pane ${event.data.adopted.target}`;
    case "PaneLetGo":
      return `${who} reads its mail by its own bridge again: ${event.data.why}`;
    case "AgentCrashed":
      return `! ${who} failed: ${event.data.why}${event.data.retryInMs === null ? "; given up for now" : ""}`;
    case "SessionChanged":
      return `${who} is in the session ${event.data.session}`;
    case "AgentStopped":
      return `${who} was unloaded (${event.data.reason})`;
    case "ShutdownRequested":
      return `${who} is to end once its turn is over`;
    case "KillRequested":
      return `${who} is being killed`;
    case "AgentPaused":
      return `${who} is paused${event.data.now === true ? ", in the middle of its turn" : ""}`;
    case "AgentResumed":
      return `${who} goes on`;
    case "AllPaused":
      return `${who} paused all agents, and whoever comes`;
    case "AllResumed":
      return `${who} let all agents go on`;
    case "BudgetReached": {
      const name = event.data.kind === "agent" ? who : event.data.key;
      return `? the budget of ${name}, ${sayBudget(event.data.budget)}, is used up (huddle budget continue|stop ${name})`;
    }
    case "BudgetDecided": {
      const name = event.data.kind === "agent" ? who : event.data.key;
      return event.data.decision === "stop"
        ? `${name} is ended: its budget is used up`
        : `${name} goes on, with a new budget`;
    }
    case "PermissionRequested":
      return asks(who, event.data.permission, whileOpen(event.data.expiresAt, at));
    case "PermissionAnswered":
      return `${who}'s question was answered: ${event.data.outcome}`;
    case "MessageAnswered":
      return `${who} answered ${names.of(event.data.delivery.from)} (message ${event.data.delivery.id})`;
    case "MessageReleased":
      return `${who} may read a message of ${names.of(event.data.delivery.from)} now (${event.data.delivery.id})`;
    case "MessageExpired":
      return `a message of ${names.of(event.data.delivery.from)} to ${who} expired unread (${event.data.delivery.id})`;
    case "DeliveriesFailed":
      return `! ${count(event.data.deliveries.length)} to ${who} failed: ${event.data.reason}`;
    case "ConversationPaused":
      return event.data.reason === "backstop"
        ? "? agents exchanged too many messages unattended: a message from you to one of them lets them go on"
        : `? agents that answer each other wait for you (huddle conversations continue|freeze ${event.data.conversation})`;
    case "ConversationResumed":
      return `a conversation goes on (${event.data.conversation})`;
    case "ConversationFrozen":
      return `a conversation was ended (${event.data.conversation})`;
    case "PairPaused":
      return `messages of ${who} to ${names.of(event.data.to)} wait: the pair is paused`;
    case "PairResumed":
      return `messages of ${who} to ${names.of(event.data.to)} go on`;
    case "PairReset":
      return `the cooldown of ${who} to ${names.of(event.data.to)} begins anew`;
    case "CallbackDue":
      return event.data.failed === undefined
        ? `${who}'s answer goes to ${event.data.url} of ${event.data.peer}`
        : `! ${who}'s answer did not reach ${event.data.url} of ${event.data.peer} (${event.data.failed}): it is tried again`;
    case "CallbackDone":
      return event.data.outcome === "delivered"
        ? `${event.data.peer} has ${who}'s answer`
        : `! ${who}'s answer did not reach ${event.data.peer}: ${event.data.reason ?? ""}`;
    case "RequestOpened":
      return `${who} asks for help: ${oneLine(event.data.request.description)} (${event.data.request.id})`;
    case "RequestNudged":
      return `everybody was reminded of ${who}'s request (${event.data.request})`;
    case "RequestClaimed":
      return `${elsewhere(event.data) ?? who} claimed ${names.of(event.data.from)}'s request (${event.data.request})`;
    case "RequestReopened":
      return `${who}'s request is open again: ${event.data.reason} (${event.data.request})`;
    case "RequestAnswered":
      return `${elsewhere(event.data) ?? who} answered ${names.of(event.data.from)}'s request (${event.data.request})`;
    case "RequestExpired":
      return `${who}'s request expired unclaimed (${event.data.request})`;
    case "MemoryShared": {
      const { name, version } = event.data.memory;
      return `${who} shared ${name}, version ${version}`;
    }
    case "MailForwarded":
      return event.data.to === null
        ? `${who} gets its own mail again`
        : `mail to ${who} goes to ${event.data.toName}`;
    case "WorkClaimed":
      return `${who} is on "${event.data.claim.task}"`;
    case "WorkReleased":
      return `${who} is off "${event.data.task}" (${event.data.reason})`;
    case "TaskAssigned":
      return `${names.of(event.data.task.by)} gave ${event.data.task.agentName} a task: ${oneLine(event.data.task.prompt)} (${event.data.task.id})`;
    case "TaskStarted":
      return `${who} is at the task ${event.data.task}`;
    case "TaskAnswered":
      return `${who} answered the task ${event.data.task}`;
    case "TaskChecked":
      return `${event.data.check.passed ? "✓" : "!"} check ${event.data.check.name} of task ${event.data.task} ${event.data.check.passed ? "passed" : "did not pass"}`;
    case "CheckAllowed":
      return `the check ${event.data.check} may run in ${event.data.project} from now on`;
    case "CheckForgotten":
      return `the check ${event.data.check} is asked for again in ${event.data.project}`;
    case "TaskReturned":
      return `! the task ${event.data.task} went back to ${who}: ${event.data.why}`;
    case "TaskEnded":
      return event.data.state === "done"
        ? `✓ the task ${event.data.task} of ${who} is done`
        : `! the task ${event.data.task} of ${who} ${event.data.state === "failed" ? "has failed" : "was cancelled"}: ${event.data.error ?? ""}`;
    case "WorktreePlanned":
      return `${who} is to get a worktree of ${event.data.worktree.project}`;
    case "WorktreeMade":
      return `${who} has a worktree on the branch ${event.data.branch}: ${event.data.path}`;
    case "WorktreeKept":
      return `the worktree ${event.data.name} of ${who} is kept: ${event.data.result.commits} commits, ${event.data.result.files} files`;
    case "WorktreeRemoved":
      return `the worktree ${event.data.name} of ${who} is removed`;
    case "WorkflowCreated":
    case "StepStarted":
    case "StepWaiting":
    case "StepDecided":
    case "StepEnded":
    case "StepsReset":
    case "WorkflowEnded":
      return describeWorkflow(event, who);
    case "PeerAdded":
      return `+ the hub ${event.data.peer.name} is a peer, ${placeOf(event.data.peer)}`;
    case "PeerChanged":
      return `the peer ${event.data.peer.name} is now ${placeOf(event.data.peer)}`;
    case "PeerRemoved":
      return `- the hub ${event.data.name} is a peer no more`;
    case "PeerAgentMet":
      return `${event.data.name}@${event.data.peer} is known now`;
    case "PeerAgentChanged":
      return `${event.data.name ?? "somebody"}@${event.data.peer} ${event.data.status === undefined ? "is known better now" : `is ${event.data.status}`}`;
    case "EpochBegun":
      return `the link to ${event.data.peer} begins ${event.data.reason === "restored" ? "anew: the peer knew another history than this hub" : "to be numbered"}`;
    case "LinkGap":
      return `! mail of ${event.data.peer} is missing: frames ${event.data.from} to ${event.data.to} (huddle peers)`;
    default:
      return assertNever(event);
  }
}

/** A name with a number: who is meant by the name alone? */
function beside(name: string, names: AgentNames): string {
  const plain = /^(.+)-\d+$/.exec(name)?.[1];
  return plain !== undefined && names.isHeld(plain) ? `; ${plain} is another, and has its own mail` : "";
}

/** One agent, or what was addressed instead: `all`, a team. */
function recipientOf({ to, toName }: Accepted, names: AgentNames) {
  const [only] = to;
  return to.length === 1 && only?.name === toName ? names.named(only.agent, toName) : toName;
}

function count(messages: number): string {
  return messages === 1 ? "1 message" : `${messages} messages`;
}

/** Runs of white space become one space: a line per message is the point. */
function oneLine(text: string): string {
  return escapeLine(text.replace(/\s+/g, " ").trim());
}

/** How long it can be answered; nothing where that has no end. */
function whileOpen(expiresAt: number | undefined, at: number): string {
  const left = expiresAt === undefined ? 0 : expiresAt - at;
  // A moment less than 12 hours is 12 hours.
  return left > 0 ? `   (${shortSpan(left + SECOND)})` : "";
}

function asks(
  who: string,
  { act, title, run }: Pick<Permission, "act" | "title"> & { run?: unknown },
  left: string,
): string {
  const ways = `   huddle approve ${who} · huddle deny ${who}${left}`;
  const words = title.replace(/\s+/g, " ").trim();
  if (run !== undefined) return `? ${who}'s task wants to ${words}${ways}`;
  if (act === dialogAct) return `? ${who} has a dialog on its screen: ${words}   huddle attach ${who}`;
  if (act === "execute") return `? ${who} wants to run: ${words.replace(/^Run /, "")}${ways}`;
  return `? ${who} wants to ${act}: ${words}${ways}`;
}

/** A claimer that only another hub knows. */
function elsewhere({ by, byName }: { by: string; byName: string }): string | undefined {
  return by === "" ? byName : undefined;
}

/** Some have no address: only the fabric reaches them. */
function placeOf({ host, port }: { host: string; port: number }): string {
  return host === "" ? "on the fabric" : `at ${host}:${port}`;
}
