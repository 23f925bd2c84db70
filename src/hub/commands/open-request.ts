import { isDeepStrictEqual } from "node:util";
import type { AgentId } from "../../model/agent.js";
import type { Decision } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { PeerName } from "../../model/peer.js";
import { deadlines, type OpenRequest as Opened, type RequestId } from "../../model/request.js";
import type { Request } from "../../views/requests.js";
import type { TightViews } from "../../views/tight.js";
import type { HubDecider } from "../context.js";
import { checkBudget } from "../rules/budget.js";
import { accept, attentionOf, composeMessage } from "../rules/compose-message.js";
import { conversationOf } from "../rules/conversation-of.js";
import { findPeer } from "../rules/find-peer.js";
import { ownWords, sameWords } from "../rules/own-words.js";
import { presentSender } from "../rules/present-agent.js";
import { checkOpenRequests, checkRequestPace } from "../rules/request-limits.js";
import { audience } from "../rules/request-mail.js";

export type OpenRequest = {
  from: AgentId;
  description: string;
  context?: string | undefined;
  timeoutMs?: number | undefined;
  /** The hubs whose agents are asked too, or `all`; without any, only those here. */
  hubs?: readonly string[] | undefined;
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
  const hubs = input.hubs === undefined ? [] : findHubs(views, input.hubs);
  if (hubs.length > 0) checkShared(id);
  const earlier = views.requests.byId(id);
  if (earlier !== undefined) return repeat(earlier, { ...input, timeoutMs, hubs });
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
    ...(hubs.length === 0 ? {} : { hubs }),
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

/** There its id has the name of this hub behind it, and the number of a nudge. */
const SHARED_ID_MOST = 52;

function checkShared(id: RequestId): void {
  if (id.length <= SHARED_ID_MOST) return;
  throw new HubError(
    "INVALID_INPUT",
    `id: of a request that other hubs get it has at most ${SHARED_ID_MOST - "req-".length} characters`,
  );
}

/** Plain daemons know of no requests. */
function findHubs(views: TightViews, names: readonly string[]): PeerName[] {
  const hubs = views.peers.all().filter(({ kind }) => kind === "hub");
  if (names.includes("all")) return hubs.map(({ name }) => name);
  return [...new Set(names)].sort().map((name) => {
    if (findPeer(views, name).kind === "hub") return name;
    throw new HubError(
      "INVALID_INPUT",
      `hubs: "${name}" is a daemon with one agent, which takes no requests: write to it with send_message`,
    );
  });
}

function repeat(earlier: Request, input: OpenRequest): Decision<OpenedRequest> {
  const same =
    earlier.from === input.from &&
    sameWords({ ...earlier, content: earlier.description }, input.description) &&
    earlier.context === input.context &&
    earlier.timeoutMs === input.timeoutMs &&
    isDeepStrictEqual(earlier.hubs ?? [], input.hubs);
  if (!same) {
    throw new HubError("ID_REUSED", `Request id "${earlier.id}" was used before for another request`, {
      request_id: earlier.id,
    });
  }
  return { events: [], answer: () => ({ requestId: earlier.id, status: earlier.state.kind }) };
}
