import type { AgentId } from "../../model/agent.js";
import type { Decision } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import { deadlines, type OpenRequest as Opened, type RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { HubDecider } from "../context.js";
import { checkBudget } from "../rules/budget.js";
import { accept, attentionOf, composeMessage } from "../rules/compose-message.js";
import { conversationOf } from "../rules/conversation-of.js";
import { ownWords, sameWords } from "../rules/own-words.js";
import { presentSender } from "../rules/present-agent.js";
import { checkOpenRequests, checkRequestPace } from "../rules/request-limits.js";
import { audience } from "../rules/request-mail.js";

export type OpenRequest = {
  from: AgentId;
  description: string;
  context?: string | undefined;
  timeoutMs?: number | undefined;
  /** The same id with the same body is the same request. */
  id?: string | undefined;
};

type OpenedRequest = { requestId: RequestId; status: Request["state"]["kind"] };

/** Asks all other agents for help. The request is also a message to each of them, of the same id, stored once. */
export const openRequest: HubDecider<OpenRequest, OpenedRequest> = (input, context) => {
  const { views, limits, now } = context;
  const sender = presentSender(input.from, views);
  const timeoutMs = Math.min(input.timeoutMs ?? limits.requestDefaultMs, limits.requestMaxMs);
  const id = requestId(input.id ?? context.newId());
  const earlier = views.requests.byId(id);
  if (earlier !== undefined) return repeat(earlier, { ...input, timeoutMs });
  checkOpenRequests(sender, context);
  checkRequestPace(sender, context);
  const opened: Opened = {
    id,
    from: sender.id,
    fromName: sender.name,
    description: ownWords(sender, input.description),
    ...(input.context === undefined ? {} : { context: input.context }),
    timeoutMs,
    ...deadlines(now, timeoutMs),
  };
  const recipients = audience(context, sender.id);
  const attention = attentionOf(sender, undefined, "request");
  const caused = conversationOf(sender, { id }, context);
  const budget = checkBudget(sender, recipients, { attention, caused }, context);
  const hold = budget.hold === undefined ? {} : { hold: { reason: budget.hold } };
  const message = composeMessage(
    sender,
    { content: opened.description, context: input.context, requestId: id },
    {
      id,
      type: "request",
      to: recipients.map((agent) => ({ agent: agent.id, name: agent.name, ...hold })),
      toName: "all",
      attention,
      caused,
    },
    views,
  );
  return {
    events: [
      newEvent("RequestOpened", sender.id, { request: opened }),
      accept(message, context),
      ...budget.events,
    ],
    answer: () => ({ requestId: id, status: "open" }),
  };
};

function requestId(id: string): RequestId {
  return id.startsWith("req-") ? id : `req-${id}`;
}

function repeat(earlier: Request, input: OpenRequest): Decision<OpenedRequest> {
  const same =
    earlier.from === input.from &&
    sameWords({ ...earlier, content: earlier.description }, input.description) &&
    earlier.context === input.context &&
    earlier.timeoutMs === input.timeoutMs;
  if (!same) {
    throw new HubError("ID_REUSED", `Request id "${earlier.id}" was used before for another request`, {
      request_id: earlier.id,
    });
  }
  return { events: [], answer: () => ({ requestId: earlier.id, status: earlier.state.kind }) };
}
