import { messageRoutes } from "../../../contract/http/messages.js";
import { forReader } from "../../../hub/rules/address-of.js";
import { findAgent, recallAgent } from "../../../hub/rules/find-agent.js";
import { type AgentId, HUMAN_ID } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import type { MailPlace } from "../../../views/lazy/mail-of.js";
import type { StoredMessage } from "../../../views/messages.js";
import { type Caller, memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { viewDeliveries } from "../../shown/message-status.js";
import { viewMessage } from "../../shown/message-view.js";
import type { BindRoute } from "../bind-route.js";

/** Of what went to many: the rest is in the message's own receipt. */
const MOST_DELIVERIES = 20;
/** How many candidates one call looks at: among them may be what went to many others. */
const MOST_LOOKED_AT = 2000;

/** What one agent sent and got, page by page. */
export function bindHistoryRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views } = ports;

  bind(messageRoutes.history, async ({ caller, param, query }) => {
    const { before, after, limit } = query;
    if (before !== undefined && after !== undefined) {
      throw new HubError("INVALID_INPUT", "before: give before or after, not both");
    }
    const agent = ownerOf(param("name"), caller);
    const leave = ports.searches.take(memberId(caller));
    try {
      const start: MailPlace =
        after === undefined ? { before: before ?? Number.MAX_SAFE_INTEGER } : { after };
      const { messages, next } = await readMail(agent, start, limit);
      const behind = Math.max(0, ports.lastSeq() - ports.historyPlace());
      return { messages: messages.map((stored) => view(stored, agent, caller)), next, behind };
    } finally {
      leave();
    }
  });

  /** Whose mail is read: an agent reads only its own. */
  function ownerOf(name: string, caller: Caller): AgentId {
    const me = memberId(caller);
    if (caller.kind === "operator") {
      if (name === "user" || name === "human") return HUMAN_ID;
      // One that has left is still known by its id, for as long as its mail is.
      return (views.roster.byId(name) ?? recallAgent(views, name, me) ?? findAgent(views, name, me)).id;
    }
    const found = findAgent(views, name, me);
    if (found.id === me) return me;
    throw new HubError("FORBIDDEN", "An agent can read only its own messages; the operator can read all");
  }

  async function readMail(agent: AgentId, start: MailPlace, limit: number) {
    const messages: StoredMessage[] = [];
    const isForward = "after" in start;
    let place = start;
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += limit + 1) {
      const seqs = await ports.mailOf(agent, place, limit + 1);
      for (const seq of seqs) {
        const next = "after" in place ? place.after : place.before;
        if (messages.length === limit) return { messages, next };
        place = isForward ? { after: seq } : { before: seq };
        const stored = views.messages.bySeq(seq);
        if (stored !== undefined && isOf(stored, agent)) messages.push(stored);
      }
      if (seqs.length <= limit) return { messages, next: null };
    }
    return { messages, next: "after" in place ? place.after : place.before };
  }

  function view(stored: StoredMessage, agent: AgentId, caller: Caller) {
    const { seq, at, data } = stored;
    const reader = memberId(caller);
    const { to } = data.message;
    const own = to.filter((recipient) => recipient.agent === agent);
    const recipients = own.length > 0 ? own : to.slice(0, MOST_DELIVERIES);
    return {
      ...viewMessage({ seq, at, message: forReader(views, data.message, reader) }, views, reader),
      deliveries: viewDeliveries(stored, recipients, caller, ports),
      recipients: to.length,
    };
  }
}

function isOf({ data: { message } }: StoredMessage, agent: AgentId): boolean {
  return message.from === agent || message.to.some((recipient) => recipient.agent === agent);
}
