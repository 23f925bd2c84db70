import { standsStill } from "../hub/rules/stands-still.js";
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

type Concerns = (agent: AgentId, arrived: Message | undefined) => boolean;

type Waker = {
  /**
   * What arrived or was freed by these events, for agents that concern the caller: with the message when it arrived. It may
   * still be behind another.
   */
  freedBy(events: readonly HubEvent[], concerns: Concerns): Iterable<Mail>;
  isBehind(mail: Mail): boolean;
  /** Whether it is to be handed over now: an open wait may have taken it in the same commit, or its reader stands still. */
  isWaiting(mail: Pick<Mail, "agent" | "seq">): boolean;
};

/** More than an inbox holds. */
const ALL = 1_000_000;

export function createWaker(views: TightViews): Waker {
  function* freedBy(events: readonly HubEvent[], concerns: Concerns): Generator<Mail> {
    const listed = new Map<AgentId, Map<AgentId, number>>();
    for (const event of events) {
      switch (event.type) {
        case "MessageAccepted": {
          const { seq, data } = event;
          for (const { agent, hold } of data.message.to)
            if (hold === undefined && concerns(agent, data.message))
              yield { agent, seq, message: data.message };
          break;
        }
        case "MessageReleased":
        case "MessageExpired":
          if (concerns(event.data.agent, undefined))
            yield* from(event.data.agent, [event.data.delivery], listed);
          break;
        case "DeliveriesFailed":
          if (concerns(event.data.agent, undefined))
            yield* from(event.data.agent, event.data.deliveries, listed);
          break;
        default:
      }
    }
  }

  /**
   * These, where they can be read now, and what the agent has from their senders after them. `listed` has from where on
   * that was done already: a thousand messages that are released together are listed once, not a thousand times.
   */
  function* from(
    agent: AgentId,
    deliveries: readonly DeliveryRef[],
    listed: Map<AgentId, Map<AgentId, number>>,
  ): Generator<Mail> {
    const done = listed.get(agent) ?? new Map<AgentId, number>();
    listed.set(agent, done);
    for (const { from: sender, seq: first } of deliveries.toSorted((a, b) => a.seq - b.seq)) {
      const end = done.get(sender) ?? Number.POSITIVE_INFINITY;
      if (end <= first) continue;
      done.set(sender, first);
      for (const { seq } of views.inbox.unreadFrom(agent, sender, first - 1, ALL)) {
        if (seq >= end) break;
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
      if (standsStill(views, agent)) return false;
      const delivery = views.inbox.get(seq, agent);
      return delivery?.state === "accepted" && views.inbox.holdBefore(delivery) === undefined;
    },
  };
}
