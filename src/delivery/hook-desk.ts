import type { Offered } from "../hub/commands/offer-messages.js";
import type { InboxReader, ReadInbox } from "../hub/inbox-port.js";
import { forReader } from "../hub/rules/address-of.js";
import type { Obligations } from "../hub/rules/obligations.js";
import { unreadBy } from "../hub/rules/unread-by.js";
import type { AgentId } from "../model/agent.js";
import type { HookMail, HookMoment } from "../model/hook.js";
import type { TightViews } from "../views/tight.js";
import type { AttachedTurns } from "./attached-turns.js";
import { composeHookText } from "./compose-hook-text.js";
import { composeReminder, REMINDED_MOST } from "./compose-reminder.js";
import type { EnvelopeStyle } from "./envelopes.js";

/*
 * Mail for sessions that a person started, handed over by the hooks of their program. What a hook hands over is an offer
 * like any other; a later hook of the session proves it.
 *
 * A turn is started, or kept going, for mail that is worth one, and never twice for the same news: what was handed out is
 * not handed out again while it may still be proved, and mail that is too long for a hook is announced once.
 */

type HookDeskPorts = {
  views: TightViews;
  obligations: Obligations;
  inbox: InboxReader;
  /** Hub time. */
  now(): number;
  lastSeq(): number;
  reofferAfterMs: number;
  style: EnvelopeStyle;
  newMark(): string;
  turns: AttachedTurns;
  /** An agent's turn ended, as its hooks tell. */
  onTurnEnded(agent: AgentId): void;
};

type HookAsk = {
  agent: AgentId;
  moment: HookMoment;
  /** Its turn was kept going before: only what it was never handed keeps it going again. */
  newOnly: boolean;
  /** Nothing is handed out: the text only says that mail waits. */
  pointer: boolean;
  /** Its session was taken up again, or its context was compacted: it is told what it owes. */
  after?: "resume" | "compact" | undefined;
  /** For `idle`. */
  waitMs: number;
  signal: AbortSignal;
};

type HookDesk = {
  hand(asked: HookAsk): Promise<HookMail>;
  /** Since when, in wall time, the agent is in a turn, as its hooks tell. */
  turnSince(agent: AgentId): number | undefined;
  /** How many wait. */
  waiting(): number;
};

/** Claude Code cuts what a hook says at 10,000 characters; envelopes and notes need their part of it. */
const MOST_BYTES = 6_500;
const MOST_MESSAGES = 20;
/** What it owes needs its part as well. */
const REMINDER_BYTES = 2_500;
/** What was handed over so often and never proved wakes nobody any more: it waits to be read. */
const MOST_ATTEMPTS = 3;
/** An inbox holds no more. */
const COUNTED = 1_000;

export function createHookDesk({
  views,
  obligations,
  inbox,
  now,
  lastSeq,
  reofferAfterMs,
  style,
  newMark,
  turns,
  onTurnEnded,
}: HookDeskPorts): HookDesk {
  const waits = new Map<AgentId, AbortController>();
  /** Up to where an agent was told that mail waits which it has to read itself. */
  const announced = new Map<AgentId, number>();

  function compose(agent: AgentId, { messages, more }: Offered): HookMail {
    const left = more
      ? unreadBy(views, { agent, route: "hook", handedOutBefore: now() - reofferAfterMs }, COUNTED)
      : [];
    if (left.length > 0) announced.set(agent, lastSeq());
    const senders = left.map(({ seq }) => {
      const message = views.messages.bySeq(seq)?.data.message;
      return message === undefined ? "" : forReader(views, message, agent).fromName;
    });
    return {
      text: composeHookText({ messages, waiting: senders, form: { style, mark: newMark() } }),
      messages: messages.map(({ seq, message }) => ({ seq, id: message.id })),
      more: left.length,
      over: false,
    };
  }

  /** No mail, so that nothing of it waits for proof. */
  function remind(agent: AgentId, after: "resume" | "compact", mail: HookMail): HookMail {
    const told = mail.messages.map(({ seq }) => seq);
    const owed = obligations.remaining(agent, told, REMINDED_MOST);
    const note = composeReminder(views, agent, owed, after === "compact" ? "compacted" : "back");
    const texts = [note, mail.text].filter((text) => text !== undefined);
    return { ...mail, text: texts.length === 0 ? undefined : texts.join("\n\n") };
  }

  function endTurn(agent: AgentId) {
    turns.ended(agent);
    onTurnEnded(agent);
  }

  async function wait(read: ReadInbox & { signal: AbortSignal }): Promise<HookMail> {
    const given = new AbortController();
    waits.set(read.agent, given);
    try {
      const offered = await inbox.read({ ...read, signal: AbortSignal.any([read.signal, given.signal]) });
      return { ...compose(read.agent, offered), over: given.signal.aborted };
    } finally {
      if (waits.get(read.agent) === given) waits.delete(read.agent);
    }
  }

  return {
    async hand({ agent, moment, newOnly, pointer, after, waitMs, signal }) {
      // Whichever hook this is: the one that waited for the session to be idle has waited long enough.
      waits.get(agent)?.abort();
      const read = {
        agent,
        route: "hook" as const,
        again: "when due" as const,
        limit: pointer ? 0 : MOST_MESSAGES,
        bytes: after === undefined ? MOST_BYTES : MOST_BYTES - REMINDER_BYTES,
        strictly: true,
      };
      if (moment === "start") endTurn(agent);
      if (moment === "context") turns.goesOn(agent);
      if (moment === "start" || moment === "context") {
        const mail = compose(agent, await inbox.read({ ...read, waitMs: 0 }));
        return after === undefined ? mail : remind(agent, after, mail);
      }
      const isNew = moment === "idle" || newOnly;
      const worthTurn = {
        after: isNew ? (announced.get(agent) ?? 0) : 0,
        attempts: newOnly ? 1 : MOST_ATTEMPTS,
      };
      if (moment === "idle") return wait({ ...read, worthTurn, waitMs, signal });
      const mail = compose(agent, await inbox.read({ ...read, worthTurn, waitMs: 0 }));
      if (mail.text === undefined) endTurn(agent);
      else turns.goesOn(agent);
      return mail;
    },
    turnSince: turns.since,
    waiting: () => waits.size,
  };
}
