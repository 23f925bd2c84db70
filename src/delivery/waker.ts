import type { AgentId } from "../model/agent.js";
import type { DeliveryRef } from "../model/delivery.js";
import type { HubEvent } from "../model/events.js";
import type { Message } from "../model/message.js";
import type { TightViews } from "../views/tight.js";

/*
 * Whom an event gives something to read. Mail that arrives can be read at once, unless it is held, or behind one of the
 * same sender that is. Mail that was behind is freed when the held one is released, or ends without having been read.
 */

export type Mail = { agent: AgentId; seq: number; message: Message };

type Waker = {
  /** What arrived or was freed by this event, for agents that concern the caller. It may still be behind another. */
  freedBy(event: HubEvent, concerns: (agent: AgentId) => boolean): Iterable<Mail>;
  isBehind(mail: Mail): boolean;
  /** Whether it is to be handed over now: an open wait may have taken it in the same commit. */
  isWaiting(mail: Pick<Mail, "agent" | "seq">): boolean;
};

/** More than an inbox holds. */
const ALL = 1_000_000;

export function createWaker(views: TightViews): Waker {
  function* freedBy(event: HubEvent, concerns: (agent: AgentId) => boolean): Generator<Mail> {
    switch (event.type) {
      case "MessageAccepted": {
        const { seq, data } = event;
        for (const { agent, hold } of data.message.to)
          if (hold === undefined && concerns(agent)) yield { agent, seq, message: data.message };
        return;
      }
      case "MessageReleased":
      case "MessageExpired":
        if (concerns(event.data.agent)) yield* from(event.data.agent, [event.data.delivery]);
        return;
      case "DeliveriesFailed":
        if (concerns(event.data.agent)) yield* from(event.data.agent, event.data.deliveries);
        return;
      default:
    }
  }

  /** These, where they can be read now, and what the agent has from their senders after them. */
  function* from(agent: AgentId, deliveries: readonly DeliveryRef[]): Generator<Mail> {
    const firsts = new Map<AgentId, number>();
    for (const { from: sender, seq } of deliveries)
      firsts.set(sender, Math.min(seq, firsts.get(sender) ?? Number.POSITIVE_INFINITY));
    for (const [sender, first] of firsts) {
      for (const { seq } of views.inbox.unreadFrom(agent, sender, first - 1, ALL)) {
        const message = views.messages.bySeq(seq)?.data.message;
        if (message !== undefined) yield { agent, seq, message };
      }
    }
  }

  return {
    freedBy,
    isBehind({ agent, seq, message }) {
      const passes = message.type === "shutdown";
      return views.inbox.holdBefore({ seq, recipient: agent, sender: message.from, passes }) !== undefined;
    },
    isWaiting({ agent, seq }) {
      const delivery = views.inbox.get(seq, agent);
      return delivery?.state === "accepted" && views.inbox.holdBefore(delivery) === undefined;
    },
  };
}
