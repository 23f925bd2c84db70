import { isOpen } from "../../../model/delivery.js";
import type { WantedStatus } from "../../../model/search-query.js";
import type { HubPorts } from "../../ports.js";
import type { SearchAsked } from "./read-search.js";

type Within = { after: number; before: number; limit: number };

/** Messages that may be meant, by `seq`, newest first. Their states are not looked at. */
export function findCandidates(
  ports: HubPorts,
  { messages, query }: SearchAsked,
  within: Within,
): Promise<number[]> {
  if (messages === undefined) return Promise.resolve([]);
  if (!areOpen(query.statuses)) return ports.search.find({ ...messages, ...within });
  return findAmongOpen();

  /** What still waits is little beside all that was ever sent: it is looked through first. */
  async function findAmongOpen(): Promise<number[]> {
    const { after, limit } = within;
    const found: number[] = [];
    let { before } = within;
    while (found.length < limit && messages !== undefined) {
      const open = ports.views.inbox.openBetween(after, before, CHUNK);
      found.push(...(await ports.search.choose(messages, open)));
      before = open.at(-1) ?? after;
      if (open.length < CHUNK) break;
    }
    return found.slice(0, limit);
  }
}

const CHUNK = 500;

/** Whether all of them are states in which a message is still in an inbox. */
export function areOpen(statuses: readonly WantedStatus[]): boolean {
  return (
    statuses.length > 0 &&
    statuses.every((status) => status === "undelivered" || (status !== "answered" && isOpen(status)))
  );
}
