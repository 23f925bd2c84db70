import type { ShownEvent } from "../../contract/events/events.js";
import { messageView } from "../../contract/http/messages.js";
import { HUB_ID, HUMAN_ID, HUMAN_NAME } from "../../model/agent.js";
import type { DeliveryChange, DeliveryStep, HistoryMessage } from "./history.js";

/* What events say about mail, in the words of the history's route. */

export type Addresses = {
  /** How an agent is addressed that had this name when something was sent. */
  addressThen: (id: string, nameThen: string) => string;
  /** Why it will not read mail now, if that is so. */
  absence: (id: string) => string | undefined;
};

export type AcceptedMail = { message: HistoryMessage; from: string; to: readonly string[] };

type Accepted = Extract<ShownEvent, { type: "MessageAccepted" }>;

/** Of a broadcast the route shows so many. */
const MOST_DELIVERIES = 20;

export function readAccepted(
  { data: { message } }: Accepted,
  { seq, at }: { seq: number; at: string },
  addresses: Addresses,
): AcceptedMail | undefined {
  const view = messageView.safeParse({
    id: message.id,
    seq,
    type: message.type,
    from: addresses.addressThen(message.from, message.fromName),
    to:
      message.to.length === 1
        ? addresses.addressThen(message.to[0]?.agent ?? "", message.toName)
        : message.toName,
    content: message.content,
    timestamp: at,
    context: message.context,
    reply_to: message.replyTo,
    thread: message.thread,
    conversation: message.conversation,
    hop: message.hop,
    request_id: message.requestId,
    task_id: message.taskId,
    callback_url: message.callbackUrl,
    attention: message.attention,
    source: message.source,
    applet: message.applet,
    fromSession: message.from === HUMAN_ID || message.from === HUB_ID ? undefined : message.from,
    trust: message.trust,
    notice: message.notice,
    metadata: message.metadata,
    ...typedOf(message.typed),
  });
  // A newer hub may know types that this page does not.
  if (!view.success) return undefined;
  const deliveries = message.to.slice(0, MOST_DELIVERIES).map(({ agent, name, hold }) => {
    const waits = hold?.reason ?? addresses.absence(agent);
    const accepted: DeliveryStep = { state: "accepted", at };
    return {
      to: addresses.addressThen(agent, name),
      state: waits === undefined ? ("accepted" as const) : ("held" as const),
      at,
      evidence: null,
      reason: waits ?? null,
      ...(hold?.until === undefined ? {} : { until: new Date(hold.until).toISOString() }),
      steps:
        hold === undefined ? [accepted] : [accepted, { state: "held" as const, at, reason: hold.reason }],
    };
  });
  return {
    message: { ...view.data, deliveries, recipients: message.to.length },
    from: message.from,
    to: message.to.map(({ agent }) => agent),
  };
}

function typedOf(typed: Accepted["data"]["message"]["typed"]) {
  if (typed === undefined) return {};
  const { kind: _, name: memory, ok, ...fields } = typed;
  return {
    ...fields,
    memory,
    claimed: fields.action === "claim" ? ok : undefined,
    released: fields.action === "release" ? ok : undefined,
  };
}

export type ReadStep = { agent: string; seq: number; id: string; change: Omit<DeliveryChange, "to"> };

/** The steps that an event tells of, one for each delivery. */
export function readSteps(event: ShownEvent, at: string): readonly ReadStep[] {
  switch (event.type) {
    case "MessagesOffered": {
      const { agent, route, turn, deliveries } = event.data;
      return deliveries.map(({ seq, id, attempt, note }) => ({
        agent,
        seq,
        id,
        change: { state: "offered", step: { state: "offered", at, route, attempt, turn, reason: note } },
      }));
    }
    case "MessagesInjected": {
      const { agent, deliveries, evidence, turn, pointer } = event.data;
      const step: DeliveryStep = { state: "injected", at, evidence, turn };
      return each(agent, deliveries, { state: pointer === true ? "same" : "injected", step });
    }
    case "MessagesSeen":
      return each(event.data.agent, event.data.deliveries, {
        state: "seen",
        step: { state: "seen", at, evidence: event.data.evidence },
      });
    case "MessagesFinished": {
      const { agent, deliveries, turn, stop, error } = event.data;
      const step: DeliveryStep = { state: "finished", at, turn, stop, with: event.data.with, reason: error };
      return each(agent, deliveries, { state: "finished", step });
    }
    case "MessagesReturned": {
      const { agent, deliveries, turn, reason } = event.data;
      return each(agent, deliveries, { state: "accepted", step: { state: "accepted", at, turn, reason } });
    }
    case "MessagesKeptWaiting": {
      const { agent, deliveries, reason } = event.data;
      return each(agent, deliveries, { state: "same", step: { state: "held", at, reason } });
    }
    case "MessagesMixed": {
      const { agent, deliveries, turn } = event.data;
      return each(agent, deliveries, {
        state: "same",
        step: { state: "injected", at, turn, reason: "mixed" },
      });
    }
    case "MessageAnswered": {
      const { agent, delivery, by } = event.data;
      return each(agent, [delivery], { state: "answered", step: { state: "answered", at, by } });
    }
    case "MessageReleased": {
      const { agent, delivery } = event.data;
      const step: DeliveryStep = { state: "accepted", at, reason: "released" };
      return each(agent, [delivery], { state: "accepted", step });
    }
    case "MessageExpired": {
      const { agent, delivery } = event.data;
      const step: DeliveryStep = { state: "expired", at, reason: "not read in time" };
      return each(agent, [delivery], { state: "expired", step });
    }
    case "DeliveriesFailed": {
      const { agent, deliveries, reason } = event.data;
      return each(agent, deliveries, { state: "failed", step: { state: "failed", at, reason } });
    }
    default:
      return [];
  }
}

function each(
  agent: string,
  deliveries: readonly { seq: number; id: string }[],
  change: ReadStep["change"],
): readonly ReadStep[] {
  return deliveries.map(({ seq, id }) => ({ agent, seq, id, change }));
}

export function isPerson(id: string): boolean {
  return id === HUMAN_ID || id === HUMAN_NAME;
}
