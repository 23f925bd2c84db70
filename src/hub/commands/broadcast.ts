import type { AgentId, Recipient } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Addressee, Message, MessageId } from "../../model/message.js";
import { checkTeam } from "../../model/names.js";
import type { HubDecider } from "../context.js";
import { address } from "../rules/address.js";
import { addressesOf, addressThen } from "../rules/address-of.js";
import { checkBudget } from "../rules/budget.js";
import { accept, attentionOf, composeMessage, type Written } from "../rules/compose-message.js";
import { conversationOf } from "../rules/conversation-of.js";
import { sameWords } from "../rules/own-words.js";
import { presentSender } from "../rules/present-agent.js";
import { releaseUnattended } from "../rules/release-held.js";

type Broadcast = Omit<Written, "requestId" | "replyTo" | "typed"> & {
  from: AgentId;
  team?: string | undefined;
};

type BroadcastReceipt = { messageId: MessageId; deliveredTo: string[]; failed: string[] };

/**
 * One message to everybody else, or to a team: its content is stored once, and each recipient has a delivery of its own,
 * limited by its own pair. Those that cannot take it now are named, and get nothing.
 */
export const broadcast: HubDecider<Broadcast, BroadcastReceipt> = (input, context) => {
  const { views, limits } = context;
  const sender = presentSender(input.from, views);
  if (limits.broadcast === "orchestrator" && sender.role === "agent") {
    throw new HubError("FORBIDDEN", "Here only orchestrators and the person broadcast (setting broadcast)");
  }
  if (input.team !== undefined) checkTeam(input.team);
  const earlier = input.id === undefined ? undefined : views.messages.bySender(sender.id, input.id);
  if (earlier !== undefined) {
    const { message } = earlier.data;
    if (!isSame(message, input)) {
      throw new HubError("ID_REUSED", `Message id "${message.id}" was used before for another message`, {
        message_id: message.id,
      });
    }
    return {
      events: [],
      answer: () => {
        const deliveredTo = message.to.map(({ agent, name }) => addressThen(views, agent, name, sender.id));
        return { messageId: message.id, deliveredTo, failed: [] };
      },
    };
  }
  const targets = views.roster.recipients(input.team).filter(({ id }) => id !== sender.id);
  if (targets.length === 0) {
    const where = input.team === undefined ? "" : ` in team "${input.team}"`;
    throw new HubError("NO_RECIPIENTS", `There is no other agent${where} to send to`);
  }
  const id = input.id ?? context.newId();
  const attention = attentionOf(sender, input.attention, "broadcast");
  const caused = conversationOf(sender, { id }, context);
  const budget = checkBudget(sender, targets, { attention, caused }, context);
  const to: Addressee[] = [];
  const reached: Recipient[] = [];
  const failed: Recipient[] = [];
  for (const target of targets) {
    try {
      const terms = { expiresInMs: input.expiresInMs, hold: budget.hold };
      to.push(address(sender, target, terms, context));
      reached.push(target);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      failed.push(target);
    }
  }
  const draft = { id, type: "broadcast", to, toName: input.team ?? "all", attention, caused } as const;
  const message = composeMessage(sender, input, draft, views);
  return {
    events:
      to.length === 0
        ? []
        : [accept(message, context), ...budget.events, ...releaseUnattended(sender, context)],
    answer: () => ({
      messageId: id,
      deliveredTo: addressesOf(views, reached, sender.team),
      failed: addressesOf(views, failed, sender.team),
    }),
  };
};

function isSame(message: Message, input: Broadcast): boolean {
  return (
    message.type === "broadcast" &&
    sameWords(message, input.content) &&
    message.context === input.context &&
    message.toName === (input.team ?? "all") &&
    message.expiresInMs === input.expiresInMs
  );
}
