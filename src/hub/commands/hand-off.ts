import type { Agent, AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import { newEvent } from "../../model/events.js";
import type { MessageId } from "../../model/message.js";
import { idThere, type RequestId } from "../../model/request.js";
import type { HubDecider } from "../context.js";
import { composeHandoff, type Handoff } from "../rules/compose-handoff.js";
import { checkStays } from "../rules/find-agent.js";
import { findRecipient } from "../rules/find-recipient.js";
import { type PassedOn, passOnWork } from "../rules/pass-on-work.js";
import { presentAgent, presentSender } from "../rules/present-agent.js";
import { type Receipt, sendMessage } from "./send-message.js";

export type HandOff = Handoff & {
  /** Who says so: the agent itself, or the person for it. */
  by: AgentId;
  agent: AgentId;
  to: string;
  /** What the agent owes, a line each. */
  owes: readonly string[];
  /** Its mail goes to the other one from now on. */
  forward?: boolean | undefined;
  id?: MessageId | undefined;
  /** Requests of other hubs that it had claimed, and that are the other one's by now: their hubs decided so. */
  passedThere?: readonly RequestId[] | undefined;
};

export type HandedOff = Receipt & { passed: PassedOn };

/**
 * One agent gives a task to another: a message with all that the other one needs, and what the first had claimed, in the same commit. Its
 * unread mail is told of and stays its own.
 */
export const handOff: HubDecider<HandOff, HandedOff> = (input, context) => {
  const { views } = context;
  const by = presentSender(input.by, views);
  const from = presentAgent(views, input.agent, by.id);
  const earlier = input.id === undefined ? undefined : views.messages.bySender(by.id, input.id);
  const met = findRecipient(context, input.to, by.id);
  const { agent: target } = met;
  if (target.id === from.id) {
    throw new HubError("SELF_SEND", `"${from.name}" cannot hand over to itself`, { target: from.name });
  }
  // What it is given would be lost with it. What was handed over before is only told again.
  if (earlier === undefined) checkStays(target, "another agent");
  const { events, passed } = passOnWork(from, target, context, new Set(input.passedThere));
  const isElsewhere = target.hub !== null && passed.work.length > 0;
  const forward =
    input.forward === true
      ? [newEvent("MailForwarded", from.id, { agent: from.id, to: target.id, toName: target.name })]
      : [];
  // What is sent again says what it said: by now nothing is left to pass on.
  const before = earlier?.data.message.content;
  const content = before?.includes(input.summary)
    ? before
    : composeHandoff(
        { handoff: input, from, reader: target.id, passed: asThere(passed, target), owes: input.owes },
        views,
      );
  const sent = sendMessage(
    {
      from: by.id,
      to: { id: target.id, met },
      type: "handoff",
      typed: { kind: "handoff", task: input.task, ...(isElsewhere ? { work: passed.work } : {}) },
      content,
      id: input.id,
    },
    context,
  );
  const isRepeated = earlier !== undefined;
  return {
    events: isRepeated ? sent.events : [...sent.events, ...events, ...forward],
    answer: (appended) => ({
      ...sent.answer(appended),
      passed: isRepeated ? { work: [], requests: [], kept: [] } : passed,
    }),
  };
};

/** The reader knows the requests of its own hub by their ids there. */
function asThere(passed: PassedOn, { hub }: Agent): PassedOn {
  if (hub === null) return passed;
  const isTheirs = (id: RequestId) => id.endsWith(`@${hub}`);
  return { ...passed, requests: passed.requests.map((id) => (isTheirs(id) ? idThere({ id, hub }) : id)) };
}
