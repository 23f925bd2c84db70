import { LRUCache } from "lru-cache";
import type { AgentId } from "../../model/agent.js";

/*
 * What proves that an agent whose program pulls its mail has got it, when it does not say so itself: a later tool call
 * over the same bridge. The bridge numbers its requests (`instance:n`) and says with each how many answers it has written to
 * the agent's program since the one before. When a new tool call comes, nothing else is under way on that connection and
 * every answer that the hub gave there was written, then the program has read them, and acts on it.
 *
 * Not proof: a request that is no tool call; one that is made again (its number was there before); one that overlaps
 * another, since it may have been sent before the answer was read; one after an answer that was cancelled or never
 * written. What stays unproven is handed out again after its time.
 *
 * All of this is in memory: after a restart of the hub nothing is known, so nothing is proved by mistake.
 */

type CallName = { instance: string; n: number };

/** How a request ended: its answer left the hub, or whoever asked had hung up. */
type Ending = "answered" | "lost";

type Exchange = {
  /** The messages (by seq) that this request proves to have arrived. */
  proven: readonly number[];
  /** Nothing that was handed out a moment ago can be taken to have arrived here: it is a repeat, or a new connection. */
  rereads: boolean;
  handedOut(seqs: readonly number[]): void;
  end(how: Ending): void;
};

type BeginExchange = {
  agent: AgentId;
  /** Undefined for a client that speaks HTTP by itself: it proves only by naming messages. */
  call: CallName | undefined;
  written: number;
  isToolCall: boolean;
};

type Connections = { begin(exchange: BeginExchange): Exchange };

type Connection = {
  newest: number;
  underWay: Set<number>;
  /** Requests that were answered, and answers that were reported as written, since both were last equal. */
  answered: Set<number>;
  written: number;
  /** In answers that are not proved to have arrived. */
  handed: Set<number>;
  hasHandedOut: boolean;
  lastAnswer: number;
};

/** Connections that are remembered; the one that was silent for longest gives way. */
const MOST = 10_000;

export function createConnections(now: () => number, giveUpAfterMs: number): Connections {
  const connections = new LRUCache<string, Connection>({ max: MOST });

  function connectionOf(key: string): Connection {
    const known = connections.get(key) ?? newConnection();
    connections.set(key, known);
    return known;
  }

  /** What this request proves, given what was reported with it. */
  function prove(connection: Connection, isToolCall: boolean): readonly number[] {
    if (connection.underWay.size > 0) return [];
    const isSettled = connection.written === connection.answered.size;
    // An answer that has not been written by now never will be: its reader was gone.
    const isHopeless = now() - connection.lastAnswer >= giveUpAfterMs;
    if (!isSettled && !isHopeless) return [];
    if (isSettled && !isToolCall) return [];
    const proven = isSettled ? [...connection.handed] : [];
    connection.handed.clear();
    connection.answered.clear();
    connection.written = 0;
    return proven;
  }

  return {
    begin({ agent, call, written, isToolCall }) {
      const connection = connectionOf(`${agent} ${call?.instance ?? ""}`);
      const { hasHandedOut } = connection;
      if (call === undefined) {
        return {
          proven: [],
          rereads: !hasHandedOut,
          handedOut: (seqs) => {
            connection.hasHandedOut ||= seqs.length > 0;
          },
          end: () => {},
        };
      }
      const { n } = call;
      const isRepeat = n <= connection.newest;
      if (!isRepeat) connection.written += written;
      const proven = isRepeat ? [] : prove(connection, isToolCall);
      connection.newest = Math.max(connection.newest, n);
      connection.underWay.add(n);
      const handed: number[] = [];
      return {
        proven,
        rereads: isRepeat || !hasHandedOut,
        handedOut: (seqs) => handed.push(...seqs),
        end(how) {
          connection.underWay.delete(n);
          if (how === "lost") return;
          connection.answered.add(n);
          connection.lastAnswer = now();
          connection.hasHandedOut ||= handed.length > 0;
          for (const seq of handed) connection.handed.add(seq);
        },
      };
    },
  };
}

function newConnection(): Connection {
  return {
    newest: -1,
    underWay: new Set(),
    answered: new Set(),
    written: 0,
    handed: new Set(),
    hasHandedOut: false,
    lastAnswer: 0,
  };
}

/** The header `Huddle-Call: instance:n`. */
export function parseCallName(header: string | undefined): CallName | undefined {
  const [, instance, n] = /^([A-Za-z0-9._-]{1,100}):(\d{1,15})$/.exec(header ?? "") ?? [];
  return instance === undefined ? undefined : { instance, n: Number(n) };
}

/** The header `Huddle-Written: n`. */
export function parseCount(header: string | undefined): number {
  return /^\d{1,9}$/.test(header ?? "") ? Number(header) : 0;
}
