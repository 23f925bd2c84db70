import type { z } from "zod";
import type { needsYouRoutes } from "../../contract/http/needs-you.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { Message } from "../../model/message.js";
import type { HubPorts } from "../ports.js";
import { wordsOf } from "./conversation-facts.js";
import type { NeedFacts } from "./permission-facts.js";

type Need = z.input<typeof needsYouRoutes.list.response>["items"][number];
type Ports = Pick<HubPorts, "views">;

/** A full inbox, as the hub has them by default. */
const MOST_MAIL = 1000;

/** Messages to the person that are neither answered nor acknowledged. */
export function mailNeeds({ views }: Ports): Need[] {
  return views.inbox.unread(HUMAN_ID, 0, MOST_MAIL).flatMap(({ seq, answeredBy }) => {
    const stored = views.messages.bySeq(seq);
    // A conversation that is paused stands in the list itself, and this tells only of that.
    if (stored === undefined || answeredBy !== null || isBudgetNotice(stored.data.message)) return [];
    const { message } = stored.data;
    const isHubs = message.from === HUB_ID;
    const agent = isHubs ? null : addressNow(views, message.from, message.fromName, HUMAN_ID);
    const reply = {
      action: "reply",
      label: "Answer",
      command: `huddle reply ${message.id} TEXT`,
    };
    const ack = {
      action: "ack",
      label: "Mark as read",
      command: "huddle inbox --ack",
      method: "POST" as const,
      path: "/api/inbox/ack",
      body: { ids: [message.id] },
    };
    return [
      {
        id: message.id,
        kind: isHubs ? ("bounce" as const) : ("question" as const),
        agent,
        text: message.content,
        at: new Date(stored.at).toISOString(),
        expires: null,
        actions: isHubs ? [ack] : [reply, ack],
        facts: agent === null ? noticeFacts(message, { views }) : messageFacts(message, agent, { views }),
      },
    ];
  });
}

function messageFacts({ id, type, context, replyTo }: Message, from: string, { views }: Ports): NeedFacts {
  const [answers] = replyTo === undefined ? [] : views.messages.byId(replyTo);
  return {
    about: "message",
    id,
    from,
    type,
    ...(context === undefined ? {} : { context }),
    ...(answers === undefined ? {} : { answers: wordsOf(answers, { views }) }),
  };
}

function noticeFacts({ id, notice, metadata = {} }: Message, { views }: Ports): NeedFacts {
  const { bounce, to, reason } = metadata;
  if (notice === "bounce" && typeof bounce === "string") {
    const sent = views.messages.bySender(HUMAN_ID, bounce);
    return {
      about: "bounce",
      id: bounce,
      to: String(to),
      reason: String(reason),
      message: sent === undefined ? null : wordsOf(sent, { views }),
    };
  }
  // Each notice says in a field of its own whom it is about.
  const about = [metadata["failure"], metadata["death"], metadata["denied"], metadata["limit"]];
  const agent = about.find((name) => typeof name === "string");
  return {
    about: "notice",
    id,
    notice: notice ?? null,
    ...(typeof agent === "string" ? { agent } : {}),
  };
}

function isBudgetNotice({ from, metadata }: Pick<Message, "from" | "metadata">): boolean {
  return from === HUB_ID && metadata?.["reason"] === "budget";
}
