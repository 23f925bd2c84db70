import { DIRECTORY_PAGE_MOST } from "../../contract/link/rpc.js";
import { placeOf } from "../../link/directory-page.js";
import type { Clock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { DirectoryEntry, DirectoryPage } from "../../model/link.js";
import type { EverywherePage, FoundAgent, HubProblem } from "../../model/peer-desk.js";
import { within } from "../within.js";
import { type Cursor, readCursor, writeCursor } from "./cursor.js";

/** A hub that can be asked who is there. */
export type AskedHub = {
  /** As it stands behind "@"; empty for this hub. */
  hub: string;
  ask(page: DirectoryPage): Promise<Told>;
  /** By which somebody there is written to. */
  addressOf(entry: DirectoryEntry): string;
};

type Told = { agents: readonly DirectoryEntry[]; next?: string; leftOut?: number };
type Answer = { told: Told } | { problem: HubProblem } | { failed: unknown };

type Limits = { askMs: number; pageMs: number };
const LIMITS: Limits = { askMs: 5000, pageMs: 5000 };
/** As many hubs are asked at once, before it is known how many of them the page needs. */
const AT_ONCE = 8;
/** So many hubs on one page: of those that are away nothing else bounds it. */
const HUBS_MOST = 200;
/** A hub may make agents up, and never come to an end. */
const AGENTS_MOST = 10_000;

type Query = { limit: number; cursor?: string | undefined };

/**
 * A page of the agents of all these hubs, asked one after the other in their order, a few ahead. It ends where it is full, where its time is over, or where many hubs
 * had nobody to show; what is known of the place is in the cursor, so nothing is kept here between two pages.
 */
export async function listEverywhere(
  hubs: readonly AskedHub[],
  { limit, cursor }: Query,
  clock: Pick<Clock, "monotonic">,
  { askMs, pageMs }: Limits = LIMITS,
): Promise<EverywherePage> {
  const from = readCursor(cursor);
  const left = hubs.filter(({ hub }) => isLeft(hub, from));
  const agents: FoundAgent[] = [];
  const problems: HubProblem[] = [];
  const asked: Promise<Answer>[] = [];
  const begunAt = clock.monotonic();

  const startAt = (hub: string) => (from?.hub === hub ? from : undefined);

  function askAhead(nth: number) {
    for (const one of left.slice(asked.length, nth + AT_ONCE)) {
      const after = startAt(one.hub)?.after;
      const most = Math.min(limit - agents.length, DIRECTORY_PAGE_MOST);
      asked.push(askHub(one, { limit: most, ...(after === undefined ? {} : { after }) }, askMs));
    }
  }

  for (const [nth, one] of left.entries()) {
    const isOver =
      agents.length >= limit || nth >= HUBS_MOST || (nth > 0 && clock.monotonic() - begunAt >= pageMs);
    if (isOver)
      return { agents, problems, next: writeCursor({ hub: left[nth - 1]?.hub ?? "", isDone: true }) };
    askAhead(nth);
    const answer = await asked[nth];
    if (answer === undefined) break;
    if ("failed" in answer) throw answer.failed;
    if ("problem" in answer) {
      problems.push(answer.problem);
      continue;
    }
    const { told } = answer;
    if (told.leftOut !== undefined)
      problems.push(cut(one, `${told.leftOut} of those that it lists are no agents, and were left out`));
    const taken = told.agents.slice(0, limit - agents.length);
    agents.push(...taken.map((entry) => view(entry, one)));
    const count = (startAt(one.hub)?.count ?? 0) + taken.length;
    const last = taken.at(-1);
    const hasMore = last !== undefined && (told.next !== undefined || told.agents.length > taken.length);
    if (hasMore && count < AGENTS_MOST)
      return { agents, problems, next: writeCursor({ hub: one.hub, count, after: placeOf(last) }) };
    if (hasMore) problems.push(cut(one, `it lists more than ${AGENTS_MOST} agents: the rest is left out`));
  }
  return { agents, problems, next: null };
}

function isLeft(hub: string, from: Cursor | undefined): boolean {
  if (from === undefined || hub > from.hub) return true;
  return hub === from.hub && from.isDone !== true;
}

/** Never rejects: some are asked ahead, and nobody waits for them. */
async function askHub(one: AskedHub, page: DirectoryPage, askMs: number): Promise<Answer> {
  try {
    const late = () =>
      new HubError("PEER_UNREACHABLE", `"${one.hub}" did not answer within ${askMs / 1000} s`);
    return { told: await within(askMs, one.ask(page), late) };
  } catch (error) {
    if (!(error instanceof HubError)) return { failed: error };
    return { problem: { hub: one.hub, kind: kindOf(error), problem: error.message } };
  }
}

function kindOf({ code }: HubError): HubProblem["kind"] {
  if (code === "PEER_REFUSED") return "refused";
  return code === "PEER_UNTRUSTED" ? "untrusted" : "no_answer";
}

function cut({ hub }: AskedHub, problem: string): HubProblem {
  return { hub, kind: "cut", problem };
}

function view(entry: DirectoryEntry, { hub, addressOf }: AskedHub): FoundAgent {
  const { status, isPerson } = entry;
  return {
    name: addressOf(entry),
    hub: hub === "" ? null : hub,
    status,
    ...(isPerson === true ? { isPerson } : {}),
  };
}
