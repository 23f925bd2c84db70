import type { HubClient, InboxPage, NeedsYou } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";

type InboxQuery = { from?: string | undefined; after?: number | undefined };

/** A full inbox, as the hub has them by default. */
const MOST_PAGES = 10;
/** Below the hub's own limit of 120 s: a longer wait is several. */
const WAIT_SLICE_MS = 110_000;
const ACKED_AT_ONCE = 1000;

/** All of it: what is not acknowledged would otherwise hide all that is newer. */
export async function readInbox(client: HubClient, query: InboxQuery): Promise<InboxPage> {
  return readOn(client, await client.inbox(given(query)), query);
}

/** The same, once there is something, or nothing when the time is up. */
export async function awaitInbox(
  cli: CliContext,
  client: HubClient,
  query: InboxQuery,
  waitMs: number,
): Promise<InboxPage> {
  const signal = cli.io.interruption();
  const deadline = performance.now() + waitMs;
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    const wait = Math.ceil(Math.min(leftMs, WAIT_SLICE_MS)) / 1000;
    const page = await client.inbox({ ...given(query), wait }, { signal });
    if (page.messages.length > 0) return readOn(client, page, query);
    if (performance.now() >= deadline) return page;
  }
}

async function readOn(client: HubClient, first: InboxPage, query: InboxQuery): Promise<InboxPage> {
  const messages = [...first.messages];
  let { more } = first;
  for (let pages = 1; more && pages < MOST_PAGES; pages++) {
    const next = await client.inbox(given({ ...query, after: messages.at(-1)?.seq ?? 0 }));
    messages.push(...next.messages);
    more = next.more;
  }
  return { messages, more };
}

function given({ from, after }: InboxQuery) {
  return { ...(from === undefined ? {} : { from }), ...(after === undefined ? {} : { after }) };
}

export async function acknowledge(client: HubClient, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += ACKED_AT_ONCE) await client.ack(ids.slice(i, i + ACKED_AT_ONCE));
}

/** What waits for the person: an agent that reads its inbox has none of it. */
export async function readNeeds(client: HubClient): Promise<NeedsYou> {
  try {
    return await client.needsYou();
  } catch (error) {
    if (error instanceof HubError && (error.code === "FORBIDDEN" || error.code === "ROUTE_NOT_FOUND"))
      return { items: [] };
    throw error;
  }
}
