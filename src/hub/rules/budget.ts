import { type Agent, HUB_ID, HUMAN_ID, type Recipient } from "../../model/agent.js";
import type { Attention } from "../../model/attention.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { HoldReason } from "../../model/message.js";
import type { HubContext } from "../context.js";
import type { Caused } from "./conversation-of.js";
import { notify } from "./notify.js";

const HOUR_MS = 3_600_000;

/** Whether mail between agents must wait for the person, and the events that ask them, if they were not yet asked. */
type Budget = { hold: HoldReason | undefined; events: NewEvent[] };

/**
 * Stops what no limit between two agents can see: a ring that answers forever. Only what can start a turn counts; what
 * goes to the person never waits.
 */
export function checkBudget(
  sender: Agent,
  recipients: readonly Recipient[],
  { attention, caused }: { attention: Attention; caused: Caused },
  context: HubContext,
): Budget {
  const { views, limits, now } = context;
  const free = { hold: undefined, events: [] };
  // One that begins with this message is not known yet.
  const known =
    caused.causes.length + caused.hop === 0 ? undefined : views.conversations.get(caused.conversation);
  if (sender.id === HUMAN_ID || recipients.every(({ id }) => id === HUMAN_ID)) return free;
  if (known?.state === "frozen") {
    throw new HubError(
      "CONVERSATION_FROZEN",
      "The person ended the conversation that this continues. You may write to user, and go on with what they ask next",
      { conversation: caused.conversation },
    );
  }
  if (attention === "fyi" || sender.id === HUB_ID) return free;

  const hops = caused.hop - (known?.base ?? 0);
  const messages = known?.messages ?? 0;
  if (
    known?.state === "paused" ||
    hops > limits.conversation.hops ||
    messages >= limits.conversation.messages
  ) {
    if (known?.state === "paused") return { hold: "budget", events: [] };
    const names = [sender, ...recipients]
      .map(({ name }) => name)
      .slice(0, 5)
      .join(", ");
    return {
      hold: "budget",
      events: ask(context, {
        conversation: caused.conversation,
        reason: "budget",
        hop: caused.hop,
        messages,
        text:
          `The agents ${names} have answered each other ${messages} times (${hops} hops) without you. ` +
          `Their mail waits. Let them go on, or end it: huddle conversations continue|freeze ${caused.conversation}`,
      }),
    };
  }
  const unattended = views.conversations.unattendedSince(now - HOUR_MS);
  if (unattended < limits.conversation.unattended) return free;
  const isFirst = views.inbox.heldCount("backstop") === 0;
  return {
    hold: "backstop",
    events: !isFirst
      ? []
      : ask(context, {
          conversation: caused.conversation,
          reason: "backstop",
          hop: caused.hop,
          messages: unattended,
          text:
            `Agents sent each other ${unattended} messages within an hour without you. Their mail waits. ` +
            "Any message from you to an agent lets it go on.",
        }),
  };
}

type Ask = {
  conversation: string;
  reason: "budget" | "backstop";
  hop: number;
  messages: number;
  text: string;
};

function ask(context: HubContext, { text, ...paused }: Ask): NewEvent[] {
  return [
    newEvent("ConversationPaused", null, paused),
    notify(context, {
      to: [HUMAN_ID],
      type: "system",
      content: text,
      attention: "queue",
      notice: "ask",
      metadata: { ask: "conversation", conversation: paused.conversation, reason: paused.reason },
    }),
  ];
}
