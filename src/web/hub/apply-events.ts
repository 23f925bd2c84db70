import type { EventFrame } from "../../client/event-stream.js";
import { readEvent, type ShownEvent } from "../../contract/events/events.js";
import { HUB_ID } from "../../model/agent.js";
import { changeAgent, changeStatus, useAgentStore } from "./agent-store.js";
import { paceEvents } from "./event-pace.js";
import { followWork } from "./follow-work.js";
import { queries } from "./hub.js";
import { dropAgent, reloadAgentSoon, reloadAllSoon } from "./load-agents.js";
import { addresses, applyMail, type MailChange } from "./mail-changes.js";
import { countMail } from "./mail-rate.js";
import { settleOutbox } from "./outbox.js";
import { isPerson, readAccepted, readSteps } from "./read-mail-events.js";
import { refreshLater } from "./refresh-later.js";
import { staleAfter } from "./stale-after.js";
import { addUnread } from "./unread.js";

/* What events change on the page: each touches what it is about and nothing else. */

let waiting: EventFrame[] = [];
let place = 0;
const applySoon = paceEvents(applyWaiting);

/** How far the page has come in the journal. */
export function currentPlace(): number {
  return place;
}

export function setPlace(seq: number): void {
  place = seq;
}

export function takeEvent(frame: EventFrame): void {
  waiting.push(frame);
  applySoon();
}

function applyWaiting(): void {
  const frames = waiting;
  waiting = [];
  const mail: MailChange[] = [];
  for (const frame of frames) {
    place = Math.max(place, frame.seq);
    const event = readEvent(frame);
    if (event === undefined) continue;
    applyToAgents(event, frame);
    followWork(event);
    mail.push(readMail(event, frame));
    for (const queryKey of staleAfter(event)) refreshLater(queryKey);
    if (event.type === "TurnEnded" && event.data.text !== "") addUnread([event.data.agent]);
  }
  applyMail(mail);
  for (const change of mail) followMail(change);
  settleOutbox(place);
}

function applyToAgents(event: ShownEvent, { at }: EventFrame): void {
  switch (event.type) {
    case "AgentDeregistered":
      dropAgent(event.data.agent);
      break;
    case "AgentRenamed":
      changeAgent(event.data.agent, { name: event.data.to });
      reloadAgentSoon(event.data.agent);
      break;
    case "PresenceChanged":
      changeStatus(event.data.agent, event.data.status, at, event.data.evidence);
      reloadAgentSoon(event.data.agent);
      break;
    case "AgentRegistered":
    case "AgentUpdated":
    case "AgentStarted":
    case "AgentPaused":
    case "AgentResumed":
    case "SessionChanged":
    case "SpawnRequested":
    case "PaneAdopted":
    case "PaneLetGo":
    case "ShutdownRequested":
    case "KillRequested":
    case "TurnEnded":
      reloadAgentSoon(event.data.agent);
      break;
    case "AllPaused":
    case "AllResumed":
      reloadAllSoon();
      break;
    default:
  }
}

function readMail(event: ShownEvent, frame: EventFrame): MailChange {
  const accepted = event.type === "MessageAccepted" ? readAccepted(event, frame, addresses) : undefined;
  return { seq: frame.seq, accepted, steps: readSteps(event, frame.at) };
}

/** What mail changes besides the histories. */
function followMail({ accepted, steps }: MailChange): void {
  for (const { agent, id } of steps) {
    // Its person's inbox is what waits for the person.
    if (isPerson(agent)) refreshLater(["needs"]);
    else if (isHere(agent)) reloadAgentSoon(agent);
    if (queries.getQueryState(["message", id]) !== undefined) refreshLater(["message", id]);
  }
  if (accepted === undefined) return;
  const { message, from, to } = accepted;
  countMail(message.timestamp, from, to);
  if (to.some(isPerson)) refreshLater(["needs"]);
  // Mail that it sent may be held now.
  if (from !== HUB_ID && !isPerson(from) && isHere(from)) reloadAgentSoon(from);
  // What the hub itself says is no news of anybody.
  if (from !== HUB_ID && !isPerson(from))
    addUnread([...new Set([from, ...to])].filter((id) => !isPerson(id) && isHere(id)));
  const thread = message.thread ?? message.reply_to;
  if (thread !== undefined) refreshThreads(thread);
}

/** Mail goes to agents of other hubs too, who have no row and no chat; one of ours that has none yet comes by its own event. */
function isHere(agent: string): boolean {
  return useAgentStore.getState().byId.has(agent);
}

/** The threads on the page that the message is in. */
function refreshThreads(root: string): void {
  for (const { queryKey, state } of queries
    .getQueryCache()
    .findAll({ queryKey: ["thread"], type: "active" })) {
    if (isThreadWith(state.data, root)) refreshLater(queryKey);
  }
}

function isThreadWith(data: unknown, id: string): boolean {
  if (typeof data !== "object" || data === null || !("messages" in data) || !Array.isArray(data.messages))
    return false;
  const messages: readonly unknown[] = data.messages;
  return messages.some(
    (message) =>
      typeof message === "object" &&
      message !== null &&
      (("id" in message && message.id === id) || ("thread" in message && message.thread === id)),
  );
}
