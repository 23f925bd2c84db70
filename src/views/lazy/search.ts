import type { FeedSource } from "../../journal/feed.js";
import { follow } from "../../journal/follow.js";
import { HubError } from "../../model/errors.js";
import type { HubEvent } from "../../model/events.js";
import { refuseFolder } from "./refuse-folder.js";
import { type SearchAsk, type SearchPort, startSearchThread } from "./search-port.js";
import { indexMessage, indexTurn, toExpression, type Wanted } from "./search-words.js";

/*
 * Full text of every message and of every turn, in a file and a thread of its own. It follows the journal behind a cursor that is stored
 * with it. It lags under load and never slows senders; lost or damaged, it is rebuilt.
 */

/** Raised when what is indexed changes: the file is then rebuilt. */
const VERSION = 3;
const PRUNE_ROWS = 200;
/** After the start, when others have more to do; whoever searches sooner has it begin at once. */
const FIRST_MS = 300;
/** So many events are indexed in a moment, also while the thread starts on a busy machine. */
const NEAR = 2000;
const NEAR_WAIT_MS = 5000;
const FAR_WAIT_MS = 250;

export type FindMessages = Wanted & {
  /** Sequence numbers between these, newest first. */
  after: number;
  before: number;
  limit: number;
};

/** Turns have neither recipients nor a source. */
type FindTurns = Pick<FindMessages, "terms" | "from" | "reader" | "after" | "before" | "limit">;

export type Search = {
  find(wanted: FindMessages): Promise<number[]>;
  findTurns(wanted: FindTurns): Promise<number[]>;
  /** Which of these messages match. */
  choose(wanted: Wanted, seqs: readonly number[]): Promise<number[]>;
  /** How far it has come in the journal; undefined until it has looked. */
  place(): number | undefined;
  /**
   * Resolves once everything that is committed now can be found. What was just sent is waited for; an index that is far
   * behind, because messages come too fast or because it is being rebuilt, is not.
   */
  caughtUp(): Promise<void>;
  /** Removes, a little at a time, what is known of events up to `upTo`. */
  prune(upTo: number): void;
  /** Its thread does nothing more; the file stays open. A process that ends while it is at work would be aborted. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

type Row = Extract<SearchAsk, { kind: "add" }>["rows"][number];

type SearchPorts = FeedSource & { file: string; onProblem: (error: unknown) => void };

export function openSearch({ file, onProblem, ...source }: SearchPorts): Search {
  refuseFolder(file);
  const { lastSeq } = source.events;
  let thread: SearchPort | undefined;
  let pruneUpTo = 0;
  let isClosed = false;
  let isDamaged = false;

  function start(): SearchPort {
    // An index that is ahead of the journal is rebuilt, and any is ahead of an empty one.
    const started = startSearchThread({ file, version: VERSION, newest: isDamaged ? -1 : lastSeq() });
    isDamaged = false;
    thread = started;
    return started;
  }

  /** A thread that failed is ended: the follower starts another, which rebuilds the file if it has to. */
  async function ask(question: SearchAsk): Promise<number[]> {
    const asked = thread ?? start();
    try {
      return await asked.ask(question);
    } catch (error) {
      isDamaged ||= error instanceof Error && /malformed|corrupt|not a database/.test(error.message);
      await asked.close();
      if (!isClosed) follower.fail(error);
      throw isDamaged ? remaking(error) : error;
    }
  }

  const follower = follow(source, {
    startAfterMs: FIRST_MS,
    onProblem,
    async open() {
      if (thread?.hasEnded() === true) start();
      return (await ask({ kind: "place" }))[0] ?? 0;
    },
    async take(slice) {
      await ask({ kind: "add", rows: slice.flatMap(toRow), upTo: slice.at(-1)?.seq ?? 0 });
    },
    async tidy() {
      const [removed] = await ask({ kind: "prune", upTo: pruneUpTo, limit: PRUNE_ROWS });
      return removed !== 0;
    },
  });

  return {
    find(wanted) {
      const expression = toExpression(wanted);
      if (expression === "nothing") return Promise.resolve([]);
      const { after, before, limit } = wanted;
      return ask({ kind: "find", of: "messages", expression, after, before, limit });
    },
    findTurns({ after, before, limit, ...wanted }) {
      const expression = toExpression({ ...wanted, to: [], types: [], sources: [], betweenAgents: false });
      if (expression === "nothing") return Promise.resolve([]);
      return ask({ kind: "find", of: "turns", expression, after, before, limit });
    },
    choose(wanted, seqs) {
      const expression = toExpression(wanted);
      if (expression === "nothing") return Promise.resolve([]);
      if (expression === undefined) return Promise.resolve([...seqs]);
      return ask({ kind: "choose", of: "messages", expression, seqs });
    },
    place: () => follower.place(),
    async caughtUp() {
      const timers: NodeJS.Timeout[] = [];
      const late = new Promise<void>((resolve) => {
        const isFar = () => lastSeq() - (follower.place() ?? Number.POSITIVE_INFINITY) > NEAR;
        timers.push(setTimeout(() => (isFar() ? resolve() : undefined), FAR_WAIT_MS).unref());
        timers.push(setTimeout(resolve, NEAR_WAIT_MS).unref());
      });
      await Promise.race([follower.caughtUp(), late]);
      for (const timer of timers) clearTimeout(timer);
    },
    prune(upTo) {
      pruneUpTo = Math.max(pruneUpTo, upTo);
      follower.tidy();
    },
    async rest() {
      isClosed = true;
      await follower.close();
    },
    async close() {
      isClosed = true;
      await follower.close();
      await thread?.close();
    },
  };
}

function toRow(event: HubEvent): Row[] {
  const { seq } = event;
  if (event.type === "MessageAccepted") return [{ seq, of: "messages", ...indexMessage(event.data.message) }];
  // What was never taken was no turn.
  if (event.type !== "TurnEnded" || event.data.stop === "not_taken") return [];
  return [{ seq, of: "turns", ...indexTurn(event.data) }];
}

function remaking(cause: unknown): HubError {
  return new HubError(
    "DATA_CORRUPT",
    "The search index was damaged and is being rebuilt. Search again in a moment; no message is lost.",
    {},
    { cause },
  );
}
