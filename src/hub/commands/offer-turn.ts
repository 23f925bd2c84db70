import type { AgentId } from "../../model/agent.js";
import { type Route, wasPausedAt } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { TurnId } from "../../model/turn.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { HubContext, HubDecider } from "../context.js";
import { forReader } from "../rules/address-of.js";
import { bounce } from "../rules/bounce.js";
import { presentAgent } from "../rules/present-agent.js";
import { standsStill } from "../rules/stands-still.js";
import { type Deliverable, deliverableTo, turnMail } from "../rules/turn-mail.js";
import type { OfferedMessage } from "./offer-messages.js";

type OfferTurn = {
  agent: AgentId;
  turn: TurnId;
  route: Route;
  /** The turn before was cut, and is named in this one. */
  continues: boolean;
  /** An interrupt came while there was nothing to cancel. */
  noted: boolean;
  /** What it was at when it was cut with the hub, and has in its history. */
  remembered?: readonly number[];
};

/** `goesOn`: it has the message, and is only told to go on with it. `paused`: because it was paused while it was at it. */
export type TurnMessage = OfferedMessage & { goesOn?: boolean; paused?: boolean };

type OfferedTurn = { messages: TurnMessage[]; more: number };

/**
 * Hands a hosted agent everything deliverable, for one turn. It is on disk before the runtime is touched, so that a
 * crash in between shows. With nothing to hand over there is no turn; what is only `fyi` makes none.
 */
export const offerTurn: HubDecider<OfferTurn, OfferedTurn> = (input, context) => {
  const { views, limits, now } = context;
  const { remembered = [] } = input;
  const agent = presentAgent(views, input.agent);
  // Whatever asked for the turn may have done so a moment before.
  if (standsStill(views, agent.id)) return { events: [], answer: () => ({ messages: [], more: 0 }) };
  const all = deliverableTo(views, agent.id, now - limits.reofferAfterMs);
  const unread = all.filter(({ delivery }) => wasToldInVain(delivery));
  const deliverable = all.filter((one) => !unread.includes(one));
  const failed = giveUp(context, agent.id, unread);
  if (!deliverable.some(({ stored }) => stored.data.message.attention !== "fyi")) {
    return { events: failed, answer: () => ({ messages: [], more: 0 }) };
  }

  const { carried, more } = turnMail(deliverable, {
    messages: limits.readMessages,
    bytes: limits.readBytes,
    fyiMessages: limits.fyiMessages,
    fyiBytes: limits.fyiBytes,
  });
  const deliveries = carried.map(({ delivery, stored: { seq, data } }) => {
    const noted = input.noted && data.message.attention === "interrupt";
    const note = noted ? "nothing_to_cancel" : remembered.includes(seq) ? "goes_on" : undefined;
    return {
      seq,
      id: data.message.id,
      from: data.message.from,
      attempt: delivery.attempt + 1,
      ...(note === undefined ? {} : ({ note } as const)),
    };
  });
  const messages = carried.map(({ delivery, stored: { seq, at, data } }) => ({
    message: forReader(views, data.message, agent.id),
    seq,
    at,
    repeated: delivery.attempt > 0,
    goesOn: remembered.includes(seq),
    paused: wasPausedAt(delivery.steps),
  }));
  return {
    events: [
      ...failed,
      newEvent("MessagesOffered", agent.id, {
        agent: agent.id,
        route: input.route,
        turn: input.turn,
        ...(input.continues ? { continues: true as const } : {}),
        deliveries,
      }),
    ],
    answer: () => ({ messages, more }),
  };
};

/** As often as a pane is told that mail waits, until that is no use: what runs in it may have no way to read it. */
const TOLD_MOST = 3;

function wasToldInVain({ state, steps }: Delivery): boolean {
  if (state !== "offered") return false;
  const told = steps.filter((step, i) => step.state === "injected" && steps[i - 1]?.route === "pane");
  return told.length >= TOLD_MOST && steps.at(-1)?.state === "injected";
}

function giveUp(context: HubContext, agent: AgentId, unread: readonly Deliverable[]): NewEvent[] {
  if (unread.length === 0) return [];
  const deliveries = unread.map(({ stored: { seq, data } }) => ({
    seq,
    id: data.message.id,
    from: data.message.from,
  }));
  const failures = deliveries.map((delivery) => ({ agent, delivery }));
  return [
    newEvent("DeliveriesFailed", agent, { agent, reason: "not_read", deliveries }),
    ...bounce(context, failures, "its pane was told of it three times, and it was never fetched"),
  ];
}
