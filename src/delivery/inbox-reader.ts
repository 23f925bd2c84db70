import type { Offered } from "../hub/commands/offer-messages.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { InboxReader, ReadInbox } from "../hub/inbox-port.js";
import { isPaused } from "../hub/rules/stands-still.js";
import { type InboxFilter, matches, unreadBy } from "../hub/rules/unread-by.js";
import type { AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import type { TightViews } from "../views/tight.js";
import { createWaker, type Mail } from "./waker.js";

/*
 * Reading an inbox, at once or by waiting. An open wait is woken inside the very commit that brings its message: the
 * offer joins the same batch, so that the reader is answered after one fsync and never polls.
 */

type Wait = {
  filter: InboxFilter;
  after: number;
  overRestarts: boolean;
  /** Wall time. */
  since: number;
  wake: () => void;
  rouse: () => void;
  give: () => void;
};

type InboxReaderPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onApplied: (listener: (events: readonly HubEvent[]) => void) => () => void;
  /** Hub time. */
  now: () => number;
  wall: () => number;
  /** How long an offer has to be proved. */
  reofferAfterMs: number;
};

type Wanted = Omit<ReadInbox, "waitMs" | "signal">;

const nothing: Offered = { messages: [], more: false };
/** How many open offers a wait looks at to find the first that is due again. */
const LOOKED_AT = 200;
/** Timers can be early. */
const A_MOMENT_MS = 20;

export function createInboxReader({
  views,
  execute,
  onApplied,
  now,
  wall,
  reofferAfterMs,
}: InboxReaderPorts): InboxReader {
  const waits = new Map<AgentId, Set<Wait>>();
  const waker = createWaker(views);
  let open = 0;
  let closed = false;

  onApplied((events) => {
    if (waits.size === 0) return;
    for (const mail of waker.freedBy(events, (agent) => waits.has(agent))) wakeFor(mail);
    for (const event of events) if (event.type === "AgentResumed") wakeAll(event.data.agent);
  });

  /** What came while it was paused; who finds nothing goes on waiting. */
  function wakeAll(agent: AgentId) {
    // Waking takes it off the list.
    const open = Array.from(waits.get(agent) ?? []);
    for (const { wake } of open) wake();
  }

  function wakeFor(mail: Mail) {
    const { agent, seq, message } = mail;
    if (isPaused(views, agent)) return;
    const isBehind = waker.isBehind(mail);
    for (const { filter, after, overRestarts, wake } of waits.get(agent) ?? []) {
      if (overRestarts && message.notice === "stop") continue;
      if (seq > after && matches(message, filter) && (!isBehind || filter.requestId !== undefined)) wake();
    }
  }

  type Waiting = { wanted: Wanted; waitMs: number; since: number; signal: AbortSignal | undefined };
  function wait({ wanted, waitMs, since, signal }: Waiting): Promise<Offered> {
    const { agent, from, requestId, after = 0, worthTurn, route = "wait", overRestarts = false } = wanted;
    return new Promise((resolve, reject) => {
      const end = (outcome: Offered | Promise<Offered>) => {
        clearTimeout(timer);
        own.delete(entry);
        if (own.size === 0) waits.delete(agent);
        open--;
        Promise.resolve(outcome).then(resolve, reject);
      };
      // Taking it off the signal again would hold up the message; it hears of the end of its own request only.
      const give = () => {
        if (own.has(entry)) end(nothing);
      };
      const filter = { from, requestId, worthTurn };
      const wake = () => end(execute("offerMessages", { ...wanted, route }));
      const rouse = () => end(execute("offerMessages", { ...wanted, worthTurn: undefined, route }));
      const entry: Wait = { filter, after, overRestarts, since, wake, rouse, give };
      const own = waits.get(agent) ?? new Set<Wait>();
      waits.set(agent, own.add(entry));
      open++;
      const due = nextDue(wanted);
      const timer = due < waitMs ? setTimeout(wake, due) : setTimeout(give, waitMs);
      signal?.addEventListener("abort", give, { once: true });
    });
  }

  /** How long until something that was handed out and not proved comes again. */
  function nextDue({ again, ...wanted }: Wanted): number {
    if (again !== "when due") return Number.POSITIVE_INFINITY;
    const offered = unreadBy(views, wanted, LOOKED_AT).flatMap(({ offeredAt }) => offeredAt ?? []);
    return Math.max(Math.min(...offered) + reofferAfterMs - now(), 0) + A_MOMENT_MS;
  }

  function isThere({ again, ...wanted }: Wanted): boolean {
    const handedOutBefore = again === "when due" ? now() - reofferAfterMs : undefined;
    return unreadBy(views, { ...wanted, handedOutBefore }, 1).length > 0;
  }

  return {
    async read({ waitMs, signal, ...wanted }) {
      const deadline = now() + waitMs;
      const since = waitMs === 0 ? 0 : wall();
      if (isThere(wanted)) {
        const offered = await execute("offerMessages", { ...wanted, route: wanted.route ?? "inbox" });
        if (isSomething(offered) || waitMs === 0) return offered;
      }
      // Between a look and the wait nothing can commit: both happen in one turn of the event loop.
      for (;;) {
        const left = deadline - now();
        if (left <= 0 || closed || signal?.aborted) return nothing;
        const offered = await wait({ wanted, waitMs: left, since, signal });
        if (offered === nothing || isSomething(offered)) return offered;
        // Woken for nothing: another wait of the same agent was faster.
      }
    },
    waiting: () => open,
    waitingSince(agent) {
      const own = [...(waits.get(agent) ?? [])].filter(({ filter }) => filter.worthTurn === undefined);
      return own.length === 0 ? undefined : Math.min(...own.map(({ since }) => since));
    },
    rouse(agent) {
      const idle = [...(waits.get(agent) ?? [])].find(({ filter }) => filter.worthTurn !== undefined);
      idle?.rouse();
      return idle !== undefined;
    },
    end(agent) {
      for (const { give } of waits.get(agent) ?? []) give();
    },
    close() {
      closed = true;
      for (const { give } of [...waits.values()].flatMap((own) => [...own])) give();
    },
    isClosed: () => closed,
  };
}

/** Or that there is something too large for what was asked. */
function isSomething({ messages, more }: Offered): boolean {
  return messages.length > 0 || more;
}
