import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { ConversationId } from "../../model/message.js";
import type { Conversation } from "../../views/conversations.js";
import type { HubDecider } from "../context.js";
import { bounce } from "../rules/bounce.js";
import { deliveryRef } from "../rules/delivery-ref.js";
import { isPairPaused } from "../rules/kept-back.js";
import { releaseHeld } from "../rules/release-held.js";

type DecideConversation = { conversation: ConversationId; decision: "continue" | "freeze" };

type DecidedConversation = {
  conversation: ConversationId;
  state: Conversation["state"];
  messages: number;
};

/** The person lets a conversation go on, with a new budget, or ends it: then what waits in it fails visibly. */
export const decideConversation: HubDecider<DecideConversation, DecidedConversation> = (input, context) => {
  const { views } = context;
  const known = views.conversations.get(input.conversation);
  if (known === undefined) {
    throw new HubError("CONVERSATION_NOT_FOUND", `No conversation has the id "${input.conversation}"`, {
      paused: views.conversations.withState("paused", 20).map(({ id }) => id),
    });
  }
  const held = [...views.inbox.heldFor("budget", known.id), ...views.inbox.heldFor("paused", known.id)].sort(
    (one, other) => one.seq - other.seq,
  );
  if (input.decision === "continue") {
    const free = held.filter((delivery) => !isPairPaused(delivery, context));
    return {
      events: [
        newEvent("ConversationResumed", null, { conversation: known.id, hop: known.hop }),
        ...releaseHeld(views, free),
      ],
      answer: () => ({ conversation: known.id, state: "open", messages: free.length }),
    };
  }
  const failed = held.map((delivery) => ({
    agent: delivery.recipient,
    delivery: deliveryRef(views, delivery),
  }));
  return {
    events: [
      newEvent("ConversationFrozen", null, { conversation: known.id }),
      ...failed.map(({ agent, delivery }) =>
        newEvent("DeliveriesFailed", agent, { agent, reason: "frozen", deliveries: [delivery] }),
      ),
      ...bounce(context, failed, "the person ended the conversation"),
    ],
    answer: () => ({ conversation: known.id, state: "frozen", messages: held.length }),
  };
};
