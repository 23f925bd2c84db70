import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { isOpen } from "../../model/delivery.js";
import { tagOf } from "../../model/message-tag.js";
import {
  describeObligation,
  type Obligation,
  obligationKinds,
  QUESTION_MS,
  QUESTIONS_MOST,
  questionIn,
} from "../../model/obligation.js";
import type { Delivery } from "../../views/delivery-row.js";
import type { Questions } from "../../views/lazy/questions.js";
import type { Request } from "../../views/requests.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import { addressNow } from "./address-of.js";
import { isPresent, isReachable } from "./present-agent.js";

/*
 * What agents owe: their tasks, the requests that they claimed, the questions that they were handed and did not answer, the
 * work that they said they are on. Only read, and nothing is decided by it.
 */

type Owed = {
  /** Only what this one owes, or what is owed to this one. */
  by?: AgentId | undefined;
  to?: AgentId | undefined;
};

/** `more`: how many have no line. */
export type Remaining = { lines: readonly string[]; more: number };

export type Obligations = {
  /** Tasks first, then requests, questions and work; of each the oldest first. */
  list(owed: Owed): Obligation[];
  /** What an agent has and still owes, a line each up to so many, without what it is told of at the same time, by seq. */
  remaining(agent: AgentId, told: readonly number[], most: number): Remaining;
  /** What was just asked is waited for, but not for long. */
  caughtUp(): Promise<void>;
};

type ObligationPorts = {
  views: TightViews;
  questions: Questions;
  /** Hub time, and wall time. */
  now: () => number;
  wall: () => number;
};

/** Of each kind, where they are not asked for of one agent. */
const MOST = 500;
/** Some of what is looked at was never handed out. */
const LOOKED_AT = 5 * QUESTIONS_MOST;

export function createObligations({ views, questions, now, wall }: ObligationPorts): Obligations {
  function tasks({ by }: Owed): Obligation[] {
    const open = by === undefined ? views.tasks.open() : views.tasks.openOf(by);
    // One that is answered and looked at is not its agent's for now.
    return open
      .filter(({ state }) => state !== "checking")
      .slice(0, MOST)
      .map(ofTask);
  }

  function requests({ by }: Owed): Obligation[] {
    if (by !== undefined && views.requests.claimedCountOf(by) === 0) return [];
    const claimed =
      by === undefined
        ? views.requests.list({ status: "claimed", limit: MOST })
        : views.requests.claimedBy(by);
    return claimed.flatMap((request) => ofRequest(views, request));
  }

  function claims({ by, to }: Owed): Obligation[] {
    if (to !== undefined || (by !== undefined && views.work.countOf(by) === 0)) return [];
    const at = now();
    const owned = by === undefined ? views.work.list("", MOST) : views.work.ownedBy(by);
    return owned
      .filter(({ until }) => until > at)
      .map(({ task, owner, since, until }) => ({
        agent: owner,
        to: null,
        toName: null,
        kind: "claim",
        ref: task,
        since,
        due: wall() + until - at,
        words: task,
        seq: null,
      }));
  }

  function unanswered({ by, to }: Owed): Obligation[] {
    const asked = { agent: by, asker: to, since: now() - QUESTION_MS };
    const [looked, most] = by === undefined ? [MOST, MOST] : [LOOKED_AT, QUESTIONS_MOST];
    const found: Obligation[] = [];
    for (const { agent, seq } of questions.find({ ...asked, limit: looked })) {
      if (found.length === most) break;
      found.push(...ofQuestion(views, agent, seq));
    }
    return found;
  }

  function list(owed: Owed): Obligation[] {
    const all = [...tasks(owed), ...requests(owed), ...unanswered(owed), ...claims(owed)];
    return (
      all
        // Nothing is owed by the gone.
        .filter(({ agent, to }) => isPresent(views, agent) && (owed.to === undefined || owed.to === to))
        .sort(
          (one, other) =>
            order(one) - order(other) || one.since - other.since || (one.seq ?? 0) - (other.seq ?? 0),
        )
    );
  }

  return {
    list,
    remaining(agent, told, most) {
      const requests = told.flatMap((seq) => views.messages.bySeq(seq)?.data.message.requestId ?? []);
      const left = list({ by: agent })
        .filter((owed) => isHanded(views, owed) && !requests.includes(owed.ref))
        .filter(({ seq }) => seq === null || !told.includes(seq));
      const lines = left.slice(0, most).map((owed) => describeTo(views, owed, agent));
      return { lines, more: left.length - lines.length };
    },
    caughtUp: questions.caughtUp,
  };
}

function order({ kind }: Obligation): number {
  return obligationKinds.indexOf(kind);
}

function ofTask({
  id,
  agent,
  by,
  byName,
  prompt,
  assignedAt,
  startedAt,
  timeoutMs,
  message,
}: Task): Obligation {
  return {
    agent,
    to: by,
    toName: byName,
    kind: "task",
    ref: id,
    since: assignedAt,
    due: startedAt === null || timeoutMs === undefined ? null : startedAt + timeoutMs,
    words: prompt,
    seq: message,
  };
}

function ofRequest(
  views: TightViews,
  { id, from, fromName, description, openedAt, state }: Request,
): Obligation[] {
  if (state.kind !== "claimed" || !isPresent(views, from)) return [];
  return [
    {
      agent: state.by,
      to: from,
      toName: fromName,
      kind: "request",
      ref: id,
      since: openedAt,
      due: null,
      words: description,
      seq: views.messages.bySender(from, id)?.seq ?? null,
    },
  ];
}

function ofQuestion(views: TightViews, agent: AgentId, seq: number): Obligation[] {
  const delivery = views.inbox.get(seq, agent);
  const stored = views.messages.bySeq(seq);
  if (delivery === undefined || stored === undefined || !isOwed(delivery)) return [];
  const { from, fromName, id, content } = stored.data.message;
  // Nobody is there to answer to.
  if (!isReachable(views, from)) return [];
  return [
    {
      agent,
      to: from,
      toName: fromName,
      kind: "question",
      ref: id,
      since: stored.at,
      due: null,
      words: questionIn(content),
      seq,
      tag: tagOf(stored.data.message),
    },
  ];
}

/** It was handed over, and neither a reply nor, to the person, the words of the agent's turn answered it. */
function isOwed({ state, answeredBy, sender, steps }: Delivery): boolean {
  if (answeredBy !== null) return false;
  const stop = steps.findLast((step) => step.state === "finished")?.stop;
  if (state === "finished") return sender !== HUMAN_ID || stop !== "end_turn";
  return state === "offered" || state === "injected" || state === "seen";
}

function describeTo(views: TightViews, owed: Obligation, reader: AgentId): string {
  const to = owed.to === null ? null : addressNow(views, owed.to, owed.toName ?? owed.to, reader);
  return describeObligation({ ...owed, to });
}

/** Whether the agent has what it is about: a task that is still in its inbox comes to it by itself. */
function isHanded(views: TightViews, { kind, agent, seq }: Obligation): boolean {
  if (kind !== "task") return true;
  const state = seq === null ? undefined : views.inbox.get(seq, agent)?.state;
  return state !== undefined && (state === "offered" || !isOpen(state));
}
