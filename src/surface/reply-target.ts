import { setTimeout as sleep } from "node:timers/promises";
import type { AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { Message, MessageId } from "../model/message.js";
import { isNamed, isTag, namedEnd, tagOf } from "../model/message-tag.js";
import type { StoredMessage } from "../views/messages.js";
import type { HubPorts } from "./ports.js";

/** The view of all mail lags by moments, and longer under load. */
const CATCH_UP_MS = 2000;
const LISTED = 10;

type Reply = {
  by: AgentId;
  /** What the sender calls the message that it answers. */
  named: string | undefined;
  /** The reply's own id: made again, it answers what it answered. */
  id: MessageId | undefined;
};

/**
 * The id of the message that a reply names: by that id, by its tag, or by the end of the id, among the mail that the sender
 * sent or received, and the requests. What names none of these is left for whoever decides to refuse.
 */
export async function replyTarget(ports: HubPorts, { by, named, id }: Reply): Promise<MessageId | undefined> {
  const digits = named === undefined ? undefined : namedEnd(named);
  if (named === undefined || digits === undefined) return named;
  const { views } = ports;
  // It may be an id as it stands: senders choose them.
  if (views.messages.byId(named).some((stored) => isOwn(ports, by, stored))) return named;
  // Where several senders chose one id it stays one: who the reply goes to tells which is meant.
  const found = new Map((await ownMail(ports, { by, named, digits })).map((mail) => [mail.message.id, mail]));
  const [only] = found.keys();
  if (found.size < 2) return only ?? named;
  const before = id === undefined ? undefined : views.messages.bySender(by, id)?.data.message.replyTo;
  if (before !== undefined && found.has(before)) return before;
  throw ambiguous(named, [...found.values()]);
}

type OwnMail = { at: number; message: Message };

/** Its own that are so named. A tag may also have the name that its sender has now. */
async function ownMail(
  ports: HubPorts,
  { by, named, digits }: { by: AgentId; named: string; digits: string },
): Promise<OwnMail[]> {
  const { views } = ports;
  const read = (seqs: readonly number[]) =>
    seqs
      .flatMap((seq) => views.messages.bySeq(seq) ?? [])
      .filter((stored) => isOwn(ports, by, stored))
      .map(({ at, data: { message } }) => ({ at, message }));
  const pick = (mail: readonly OwnMail[]) => mail.filter(({ message }) => isNamed(message, named));

  // What it was just handed is known at once.
  const handed = pick(read(views.handed.since(by, 0).map(({ seq }) => seq)));
  if (handed.length === 0)
    await Promise.race([ports.idEnds.caughtUp(), sleep(CATCH_UP_MS, undefined, { ref: false })]);
  const all = read(ports.idEnds.find(by, digits));
  const found = [...handed, ...pick(all)];
  if (found.length > 0 || !isTag(named)) return found;
  return all.filter(({ message }) => {
    const fromName = views.roster.byId(message.from)?.name;
    return fromName !== undefined && tagOf({ id: message.id, fromName }) === named;
  });
}

/** What is held from its reader has not come yet: nobody answers it by a part of its name. */
function isOwn({ views }: HubPorts, by: AgentId, { seq, data: { message } }: StoredMessage): boolean {
  if (message.from === by || message.type === "request" || message.type === "nudge") return true;
  return message.to.some(({ agent }) => agent === by) && views.inbox.get(seq, by)?.state !== "held";
}

function ambiguous(named: string, mail: readonly OwnMail[]): HubError {
  const what = isTag(named) ? "is the tag" : "is the end of the id";
  const candidates = mail.slice(0, LISTED).map(({ at, message }) => ({
    id: message.id,
    tag: tagOf(message),
    from: message.fromName,
    timestamp: new Date(at).toISOString(),
  }));
  return new HubError(
    "REPLY_AMBIGUOUS",
    `reply_to ${what} of ${mail.length} messages of yours: "${named}"; give the whole id of one of them`,
    { reply_to: named, candidates },
  );
}
