import type { Answer, Caller } from "../fakes/http-call.js";
import { type Identity, type Member, memberAt } from "../fakes/member.js";
import type { Random } from "../fakes/random.js";
import type { Entry, Ledger } from "./ledger.js";

/** How many messages are sent twice (a third of all sends), and how many of the repeats lie about the body. */
const REPEATED = 0.5;
const FORGED = 0.02;

export type SenderOptions = {
  identity: Identity;
  ledger: Ledger;
  random: Random;
  recipients: readonly string[];
  /** Messages under way at once. With one, the order of issue must be the hub's order. */
  window: number;
};

export type Sender = {
  name: string;
  window: number;
  /** `duplicates` are the sends beyond the first of each id. */
  counts(): { sends: number; duplicates: number; unanswered: number };
  /** Sends until aborted or the hub is gone. What went unanswered before comes first. */
  run(http: Caller, signal: AbortSignal): Promise<void>;
  /** Sends what is still unanswered. */
  settle(http: Caller): Promise<void>;
};

export function createSender({ identity, ledger, random, recipients, window }: SenderOptions): Sender {
  let sends = 0;
  let unanswered = 0;
  let issued = 0;
  /** Sent and not answered, oldest first. */
  let open: Entry[] = [];

  function issue(): Entry {
    const n = ++issued;
    const to = recipients[n % recipients.length] ?? "";
    const id = `${identity.name}-${n}`;
    const content = `${id} ${"x".repeat(random.int(random.chance(0.02) ? 20_000 : 200))}`;
    return ledger.issue({ id, from: identity.name, to, content });
  }

  async function deliver(member: Member, entry: Entry): Promise<void> {
    // Sometimes both copies are under way at the same time.
    const copies = random.chance(REPEATED / 2) ? 2 : 1;
    await Promise.all(Array.from({ length: copies }, () => attempt(member, entry)));
    open = open.filter((other) => other !== entry);
  }

  async function attempt(member: Member, entry: Entry): Promise<void> {
    sends++;
    const answer = await member.send(entry.to, entry.content, { id: entry.id });
    if (isOutcomeUnknown(answer)) throw new Error(`unanswered: ${answer.status}`);
    if (answer.status !== 202) {
      ledger.violation(`${entry.id} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    ledger.accept(entry, Number(answer.json["seq"]));
  }

  /** An earlier id again, with the same body or (rarely) another one. */
  async function repeat(member: Member, entry: Entry): Promise<void> {
    if (!random.chance(FORGED)) return attempt(member, entry);
    const answer = await member.send(entry.to, `${entry.content} forged`, { id: entry.id });
    if (answer.status !== 409 && !isOutcomeUnknown(answer)) {
      ledger.violation(`${entry.id} with another body was answered ${answer.status}`);
    }
  }

  async function work(member: Member, signal: AbortSignal): Promise<void> {
    const done: Entry[] = [];
    while (!signal.aborted) {
      const entry = issue();
      open.push(entry);
      await deliver(member, entry);
      done.push(entry);
      if (random.chance(REPEATED / 2)) await repeat(member, random.pick(done));
    }
  }

  async function settle(http: Caller): Promise<void> {
    const member = memberAt(http, identity);
    for (const entry of open) await deliver(member, entry);
  }

  return {
    name: identity.name,
    window,
    counts: () => ({ sends, duplicates: sends - issued, unanswered }),
    settle,
    async run(http, signal) {
      try {
        await settle(http);
        const member = memberAt(http, identity);
        await Promise.all(Array.from({ length: window }, () => work(member, signal)));
      } catch {
        unanswered += open.length; // The hub was killed; its answer may be lost, the message may be stored.
      }
    },
  };
}

/** The hub says that it does not know, or is going away: as good as no answer. */
function isOutcomeUnknown({ status }: Answer): boolean {
  return status === 503;
}
