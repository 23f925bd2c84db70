import type { AgentId } from "../../model/agent.js";
import type { ReceiptState } from "../../model/delivery.js";
import type { HubEvent } from "../../model/events.js";
import type { Message } from "../../model/message.js";
import { escapeUnsafe } from "../../model/unsafe-text.js";

/** One line of `logs/agent-comms.log`. */
type CommsLine = {
  ts: string;
  direction: "local" | "sent" | "received";
  from: string;
  to: string;
  type: string;
  content: string;
  messageId: string;
  state: ReceiptState;
};

/** Somebody begins with a task or leaves it. There is no message: `messageId` is empty. */
type WorkLine = CommsLine & { type: "coordination"; action: "claim" | "release"; task: string };

/** The message of an earlier event; undefined once that is pruned. */
type FindMessage = (seq: number) => Message | undefined;

/** By which the person, who reads the log, can write to somebody who had that name then. */
export type AddressThen = (agent: AgentId, name: string) => string;

/** Whether an agent lives on another hub. */
export type IsElsewhere = (agent: AgentId) => boolean;

type LinePorts = { find: FindMessage; address: AddressThen; isElsewhere: IsElsewhere };

/**
 * What the log says of an event: a message once, when it is accepted, and a line for each later end of it. Those name the
 * message and leave its content out: a broadcast to a thousand agents would repeat it a thousand times. Work that is claimed
 * and released is told to all in the same form.
 */
export function commsLines(
  event: HubEvent,
  { find, address, isElsewhere }: LinePorts,
): (CommsLine | WorkLine)[] {
  const ts = new Date(event.at).toISOString();

  function line(message: Message, facts: Pick<CommsLine, "ts" | "to" | "content" | "state">): CommsLine {
    return {
      ts: facts.ts,
      direction: directionOf(message, isElsewhere),
      from: address(message.from, message.fromName),
      to: facts.to,
      type: message.type,
      content: facts.content,
      messageId: message.id,
      state: facts.state,
    };
  }

  function later(seq: number, recipient: AgentId, state: ReceiptState): CommsLine[] {
    const message = find(seq);
    if (message === undefined) return [];
    const name = message.to.find(({ agent }) => agent === recipient)?.name;
    const to = name === undefined ? message.toName : address(recipient, name);
    return [line(message, { ts, to, content: "", state })];
  }

  switch (event.type) {
    case "MessageAccepted": {
      const { message } = event.data;
      const isHeld = message.to.length > 0 && message.to.every(({ hold }) => hold !== undefined);
      const state = isHeld ? "held" : "accepted";
      const [only] = message.to;
      const isToOne = message.to.length === 1 && only?.name === message.toName;
      const to = isToOne && only ? address(only.agent, only.name) : message.toName;
      return [line(message, { ts, to, content: message.content, state })];
    }
    case "MessagesSeen":
      return event.data.deliveries.flatMap(({ seq }) => later(seq, event.data.agent, "seen"));
    case "DeliveriesFailed":
      return event.data.deliveries.flatMap(({ seq }) => later(seq, event.data.agent, "failed"));
    case "MessageAnswered":
      return later(event.data.delivery.seq, event.data.agent, "answered");
    case "MessageExpired":
      return later(event.data.delivery.seq, event.data.agent, "expired");
    case "WorkClaimed": {
      const { task, owner, ownerName } = event.data.claim;
      return [
        workLine({
          ts,
          from: address(owner, ownerName),
          content: `claimed "${task}"`,
          action: "claim",
          task,
        }),
      ];
    }
    case "WorkReleased": {
      const { task, owner, ownerName = owner, byName = ownerName, reason } = event.data;
      const why = { released: "", expired: " (its lease ended)", owner_gone: ` (${ownerName} is gone)` }[
        reason
      ];
      const content = `released "${task}"${why}`;
      const from = byName === ownerName ? address(owner, ownerName) : byName;
      return [workLine({ ts, from, content, action: "release", task })];
    }
    default:
      return [];
  }
}

/** Only a message to one can go to another hub. */
function directionOf({ trust, to }: Message, isElsewhere: IsElsewhere): CommsLine["direction"] {
  if (trust === "peer") return "received";
  const [only] = to;
  return to.length === 1 && only !== undefined && isElsewhere(only.agent) ? "sent" : "local";
}

function workLine(facts: Pick<WorkLine, "ts" | "from" | "content" | "action" | "task">): WorkLine {
  const { ts, from, content, action, task } = facts;
  return {
    ts,
    direction: "local",
    from,
    to: "all",
    type: "coordination",
    content,
    messageId: "",
    state: "accepted",
    action,
    task,
  };
}

/** JSON on one line that is safe to look at in a terminal, and reads back as the same. */
export function encodeLine(value: CommsLine): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}
