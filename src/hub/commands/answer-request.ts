import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { MessageId } from "../../model/message.js";
import type { RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubDecider } from "../context.js";
import { answering } from "../rules/answer-by-reply.js";
import { checkBudget } from "../rules/budget.js";
import { accept, attentionOf, composeMessage } from "../rules/compose-message.js";
import { conversationOf } from "../rules/conversation-of.js";
import { presentRecipient } from "../rules/find-recipient.js";
import { findRequest } from "../rules/find-request.js";
import { checkRoom } from "../rules/inbox-room.js";
import { sameWords } from "../rules/own-words.js";
import { presentSender } from "../rules/present-agent.js";

type AnswerRequest = {
  agent: AgentId;
  request: RequestId;
  content: string;
  /** The same id with the same body is the same answer. */
  id?: MessageId | undefined;
};

export type AnsweredRequest = { messageId: MessageId; request: Request };

/**
 * The answer to a request, as a response to whoever asked. It is the claimer's to give, who may add to it later; what
 * nobody has claimed is claimed and answered at once.
 */
export const answerRequest: HubDecider<AnswerRequest, AnsweredRequest> = (input, context) => {
  const { views } = context;
  const sender = presentSender(input.agent, views);
  const earlier = input.id === undefined ? undefined : views.messages.bySender(sender.id, input.id);
  if (earlier !== undefined) {
    const { message } = earlier.data;
    const request = views.requests.byId(input.request);
    if (request === undefined || message.requestId !== request.id || !sameWords(message, input.content)) {
      throw new HubError("ID_REUSED", `Message id "${message.id}" was used before for another message`, {
        message_id: message.id,
      });
    }
    return { events: [], answer: () => ({ messageId: message.id, request }) };
  }
  const request = findRequest(context, input.request);
  const { agent: requester } = presentRecipient(views, request.from, sender.id);
  const id = input.id ?? context.newId();
  const answer = answering(context, request, { sender, target: requester, replyTo: request.id, by: id });
  checkRoom(sender.id, requester, context);
  const attention = attentionOf(sender, undefined, "response");
  const caused = conversationOf(sender, { id, replyTo: request.id, target: requester.id }, context);
  const budget = checkBudget(sender, [requester], { attention, caused }, context);
  const hold = budget.hold === undefined ? {} : { hold: { reason: budget.hold } };
  const message = composeMessage(
    sender,
    { content: input.content, replyTo: request.id, requestId: request.id },
    {
      id,
      type: "response",
      to: [{ agent: requester.id, name: requester.name, ...hold }],
      toName: requester.name,
      attention,
      caused,
    },
    views,
  );
  return {
    events: [accept(message, context), ...answer, ...budget.events],
    answer: () => ({ messageId: id, request: views.requests.byId(request.id) ?? request }),
  };
};
