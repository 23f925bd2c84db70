import { type Agent, type AgentId, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { DeliveryRef } from "../../model/delivery.js";
import type { NewEvent } from "../../model/events.js";
import { quoteLine } from "../../model/others-words.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";
import { notify } from "./notify.js";
import { isPresent } from "./present-agent.js";

const WORDS_MOST = 500;

type Mixed = { words: string; deliveries: readonly DeliveryRef[] };

/** Tells each sender that its mail was sent together with something else, and the person alone with what. */
export function tellMixed(context: HubContext, agent: Agent, { words, deliveries }: Mixed): NewEvent[] {
  const senders = [...new Set(deliveries.map(({ from }) => from))].filter(
    (sender) => sender !== HUB_ID && sender !== HUMAN_ID && isPresent(context.views, sender),
  );
  return [
    ...senders.map((sender) =>
      tellSender(
        context,
        agent,
        sender,
        deliveries.filter(({ from }) => from === sender).map(({ id }) => id),
      ),
    ),
    tellPerson(context, agent, words, deliveries),
  ];
}

function tellSender(context: HubContext, agent: Agent, sender: AgentId, ids: readonly string[]): NewEvent {
  const to = addressOf(context.views, agent, teamOf(context.views, sender));
  const [message, it] = ids.length === 1 ? ["message", "it"] : ["messages", "them"];
  return notify(context, {
    to: [sender],
    type: "system",
    content:
      `Something that was typed in the pane of ${to} at the same moment was sent together with your ${message} ${ids.join(", ")}. ` +
      `${to} has ${it}, and may have read both as one: if its answer does not fit, send ${it} again.`,
    attention: "fyi",
    notice: "mixed",
    metadata: { mixed: ids, to },
  });
}

function tellPerson(
  context: HubContext,
  agent: Agent,
  words: string,
  deliveries: readonly DeliveryRef[],
): NewEvent {
  const { views } = context;
  const name = addressOf(views, agent, teamOf(views, HUMAN_ID));
  const ids = deliveries.map(({ id }) => id);
  const mail = ids.length === 1 ? `message ${ids[0]}` : `${ids.length} messages`;
  return notify(context, {
    to: [HUMAN_ID],
    type: "system",
    content:
      `What was typed in the pane of ${name} while Huddle delivered there was sent together with ${mail}: ` +
      `"${quoteLine(words, WORDS_MOST)}". It is no longer in the input box. Who sent the mail is not told these words.`,
    attention: "fyi",
    notice: "mixed",
    metadata: { mixed: ids, to: name, words },
  });
}
