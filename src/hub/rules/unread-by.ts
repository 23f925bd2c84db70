import type { Agent, AgentId } from "../../model/agent.js";
import type { Route } from "../../model/delivery.js";
import { isBridged } from "../../model/hosting.js";
import type { Message } from "../../model/message.js";
import type { RequestId } from "../../model/request.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { TightViews } from "../../views/tight.js";
import { isOfferedInPane } from "./offered-in-pane.js";
import { isPaused } from "./stands-still.js";

/** What a reader asks for: everything, what one agent sent, what answers one request, what is worth a turn. */
export type InboxFilter = {
  from?: AgentId | undefined;
  requestId?: RequestId | undefined;
  worthTurn?: WorthTurn | undefined;
};

/**
 * What may start a turn, or keep one going: neither `fyi` nor a request, which goes to everybody and is not everybody's
 * turn. Only what came after a place in the journal, and was handed out fewer than so many times.
 */
export type WorthTurn = { after: number; attempts: number };

/** By number, where the reader knows: these and no others, or all but those that are with a reader already. */
export type Chosen = {
  only?: readonly number[] | undefined;
  except?: readonly number[] | undefined;
};

type UnreadBy = InboxFilter &
  Chosen & {
    agent: AgentId;
    /** Only what has a higher number. */
    after?: number | undefined;
    /** Leaves out what was handed out after this moment of hub time: it is probably on its way. */
    handedOutBefore?: number | undefined;
    /** By which it is to be handed out. */
    route?: Route | undefined;
  };

const PAGE = 200;

/** Unread mail that matches, oldest first, at most `limit`. Who is paused gets none. */
export function unreadBy(
  views: TightViews,
  { agent, from, requestId, after: beyond = 0, worthTurn, handedOutBefore, route, only, except }: UnreadBy,
  limit: number,
): Delivery[] {
  if (isPaused(views, agent)) return [];
  const read = (after: number, count: number) => {
    // Whoever waits for an answer gets it, whatever its sender has sent before that is held.
    if (requestId !== undefined) return views.inbox.unreadInAnyOrder(agent, after, count);
    return from === undefined
      ? views.inbox.unread(agent, after, count)
      : views.inbox.unreadFrom(agent, from, after, count);
  };
  const hidesTasks = views.tasks.openCount() > 0 && getsPrompts(views.roster.byId(agent));
  if (only !== undefined) {
    const named = readable(views, agent, only).slice(0, limit);
    return hidesTasks ? named.filter((delivery) => !isNextTask(views, delivery)) : named;
  }
  const isPlain = requestId === undefined && worthTurn === undefined && handedOutBefore === undefined;
  if (isPlain && except === undefined && !hidesTasks) return read(beyond, limit);
  const found: Delivery[] = [];
  const spared = new Set(except);
  // Answers come after the request: what is older need not be looked at.
  const earliest =
    requestId === undefined ? (worthTurn?.after ?? 0) : (views.messages.byId(requestId)[0]?.seq ?? 0);
  let after = Math.max(beyond, earliest);
  for (;;) {
    const page = read(after, PAGE);
    for (const delivery of page) {
      if (
        !spared.has(delivery.seq) &&
        isDue(delivery, handedOutBefore, route) &&
        isWanted(views, delivery, { from, requestId, worthTurn }) &&
        !(hidesTasks && isNextTask(views, delivery))
      )
        found.push(delivery);
      if (found.length === limit) return found;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.seq;
  }
}

/** Those of these that can be read now, oldest first. */
function readable({ inbox }: TightViews, agent: AgentId, seqs: readonly number[]): Delivery[] {
  return seqs
    .toSorted((a, b) => a - b)
    .flatMap((seq) => inbox.get(seq, agent) ?? [])
    .filter(
      (delivery) =>
        (delivery.state === "accepted" || delivery.state === "offered") &&
        inbox.holdBefore(delivery) === undefined,
    );
}

/** Tasks of an agent that the hub runs are its prompts, one a turn; by reading ahead it would begin the next in this one. */
function getsPrompts(agent: Agent | undefined): boolean {
  return agent !== undefined && agent.runtime !== null && !isBridged(agent);
}

function isNextTask(views: TightViews, delivery: Delivery): boolean {
  return views.tasks.byMessage(delivery.seq) !== undefined && !isOfferedInPane(delivery);
}

/**
 * What its pane was told of comes at once to an agent that asks for it. A hook is not asked: it would say what is being typed, and
 * the line itself sets it off.
 */
function isDue(delivery: Delivery, handedOutBefore: number | undefined, route: Route | undefined): boolean {
  const { offeredAt } = delivery;
  if (handedOutBefore === undefined || offeredAt === null || offeredAt <= handedOutBefore) return true;
  return route !== "hook" && isOfferedInPane(delivery);
}

function isWanted(views: TightViews, delivery: Delivery, filter: InboxFilter): boolean {
  if (filter.requestId === undefined && filter.worthTurn === undefined) return true;
  if (delivery.attempt >= (filter.worthTurn?.attempts ?? Number.POSITIVE_INFINITY)) return false;
  const message = views.messages.bySeq(delivery.seq)?.data.message;
  return message !== undefined && matches(message, filter);
}

export function matches(message: Message, { from, requestId, worthTurn }: InboxFilter): boolean {
  return (
    (from === undefined || message.from === from) &&
    (requestId === undefined || answers(message, requestId)) &&
    (worthTurn === undefined || (message.attention !== "fyi" && message.type !== "request"))
  );
}

/** What whoever asked waits for: the answer, or that none will come. Who claimed it meanwhile is no reason to wake. */
function answers({ requestId, notice }: Message, wanted: RequestId): boolean {
  return requestId === wanted && notice !== "claimed" && notice !== "reopened";
}
