import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { TurnUsage } from "../model/turn.js";
import type { UsageKind } from "../model/usage.js";
import { createWriteBehind } from "./write-behind.js";

/** What turns used. `costUsd` is null where no vendor told; `uncosted` says of how many turns none did. */
export type Totals = {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  turns: number;
  uncosted: number;
};

type KeyedTotals = Totals & { key: string; last: number };

export const noUsage: Totals = { inputTokens: 0, outputTokens: 0, costUsd: null, turns: 0, uncosted: 0 };
/** Rows that are kept in memory once they were read or stored. */
const REMEMBERED = 1000;

type UsagePage = {
  /** Continue below this number. */
  before?: number | undefined;
  /** Only these keys. */
  keys?: readonly string[] | undefined;
  limit: number;
};

/** Turns added up: of an agent, for a task, a workflow, a conversation, on a day. Budgets decide by it. */
export type Usage = View & {
  of(kind: UsageKind, key: string): Totals | undefined;
  /** What its vendor last told of the agent's whole session. */
  toldOf(agent: AgentId): TurnUsage;
  /** Those with the newest turn first. */
  list(kind: UsageKind, page: UsagePage): KeyedTotals[];
};

const COLUMNS = `key, input_tokens AS inputTokens, output_tokens AS outputTokens, cost_usd AS costUsd, turns,
  uncosted, last`;

export function createUsage(db: Database): Usage {
  const get = db.prepare<[string, string], KeyedTotals>(
    `SELECT ${COLUMNS} FROM usage WHERE kind = ? AND key = ?`,
  );
  const list = db.prepare<[string, number, number], KeyedTotals>(
    `SELECT ${COLUMNS} FROM usage WHERE kind = ? AND last < ? ORDER BY last DESC LIMIT ?`,
  );
  const listOf = db.prepare<[string, number, string, number], KeyedTotals>(
    `SELECT ${COLUMNS} FROM usage WHERE kind = ? AND last < ? AND key IN (SELECT value FROM json_each(?))
     ORDER BY last DESC LIMIT ?`,
  );
  const put = db.prepare(
    `REPLACE INTO usage (kind, key, input_tokens, output_tokens, cost_usd, turns, uncosted, last)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // Each turn changes five rows that lie far apart.
  const rows = createWriteBehind<KeyedTotals>({
    read: (kind, key) => get.get(kind, key),
    write: (kind, key, { inputTokens, outputTokens, costUsd, turns, uncosted, last }) =>
      put.run(kind, key, inputTokens, outputTokens, costUsd, turns, uncosted, last),
    remembered: REMEMBERED,
  });

  const told = db.prepare<[string], { told: string }>("SELECT told FROM session_usage WHERE agent = ?");
  const note = db.prepare("INSERT OR REPLACE INTO session_usage (agent, told) VALUES (?, ?)");
  const forgetSession = db.prepare("DELETE FROM session_usage WHERE agent = ?");

  function count({ seq, at, data }: EventOf<"TurnEnded">) {
    // Nobody took it: it was no turn.
    if (data.stop === "not_taken") return;
    const { inputTokens = 0, outputTokens = 0, costUsd } = data.usage ?? {};
    const addTo = (kind: UsageKind, key: string | undefined) => {
      if (key === undefined) return;
      const before = rows.get(kind, key) ?? { ...noUsage, key, last: 0 };
      if (before.last >= seq) return;
      rows.set(kind, key, {
        key,
        inputTokens: before.inputTokens + inputTokens,
        outputTokens: before.outputTokens + outputTokens,
        costUsd: costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + costUsd,
        turns: before.turns + 1,
        uncosted: before.uncosted + (costUsd === undefined ? 1 : 0),
        last: seq,
      });
    };
    addTo("agent", data.agent);
    addTo("task", data.task);
    addTo("workflow", data.workflow);
    addTo("conversation", data.conversation);
    addTo("day", dayOf(at));
  }

  return {
    tables: ["usage", "session_usage"],
    forget: rows.forget,
    trails: rows.trails,
    folds: {
      TurnEnded(event) {
        count(event);
        const { agent, sessionUsage } = event.data;
        if (sessionUsage !== undefined) note.run(agent, JSON.stringify(sessionUsage));
      },
      AgentDeregistered({ data }) {
        forgetSession.run(data.agent);
      },
    },
    toldOf(agent) {
      const row = told.get(agent);
      // oxlint-disable-next-line typescript/consistent-type-assertions -- written by the fold above
      return row === undefined ? {} : (JSON.parse(row.told) as TurnUsage);
    },
    of: (kind, key) => rows.get(kind, key),
    list(kind, { before = Number.MAX_SAFE_INTEGER, keys, limit }) {
      const unstored = rows.unstored(kind);
      const wanted = keys === undefined ? undefined : new Set(keys);
      const newer = [...unstored.values()].filter(
        ({ key, last }) => last < before && (wanted === undefined || wanted.has(key)),
      );
      // Those of them that the table has as they were before are read in vain.
      const most = limit + unstored.size;
      const stored =
        keys === undefined
          ? list.all(kind, before, most)
          : listOf.all(kind, before, JSON.stringify(keys), most);
      return [...newer, ...stored.filter(({ key }) => !unstored.has(key))]
        .sort((a, b) => b.last - a.last)
        .slice(0, limit);
    },
  };
}

/** The day where the hub runs. */
function dayOf(wall: number): string {
  const at = new Date(wall);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
