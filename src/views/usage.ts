import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import type { EventOf } from "../model/events.js";
import type { TurnUsage } from "../model/turn.js";
import type { UsageKind } from "../model/usage.js";

/** What turns used. `costUsd` is null where no vendor told; `uncosted` says of how many turns none did. */
export type Totals = {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  turns: number;
  uncosted: number;
};

type KeyedTotals = Totals & { key: string; last: number };

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
  const add = db.prepare(
    `INSERT INTO usage (kind, key, input_tokens, output_tokens, cost_usd, turns, uncosted, last)
       VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7)
     ON CONFLICT (kind, key) DO UPDATE SET
       input_tokens = input_tokens + ?3, output_tokens = output_tokens + ?4,
       cost_usd = CASE WHEN ?5 IS NULL THEN cost_usd ELSE coalesce(cost_usd, 0) + ?5 END,
       turns = turns + 1, uncosted = uncosted + ?6, last = ?7`,
  );

  const told = db.prepare<[string], { told: string }>("SELECT told FROM session_usage WHERE agent = ?");
  const note = db.prepare("INSERT OR REPLACE INTO session_usage (agent, told) VALUES (?, ?)");
  const forgetSession = db.prepare("DELETE FROM session_usage WHERE agent = ?");

  function count({ seq, at, data }: EventOf<"TurnEnded">) {
    // Nobody took it: it was no turn.
    if (data.stop === "not_taken") return;
    const { inputTokens = 0, outputTokens = 0, costUsd = null } = data.usage ?? {};
    const addTo = (kind: UsageKind, key: string | undefined) => {
      if (key === undefined) return;
      add.run(kind, key, inputTokens, outputTokens, costUsd, costUsd === null ? 1 : 0, seq);
    };
    addTo("agent", data.agent);
    addTo("task", data.task);
    addTo("workflow", data.workflow);
    addTo("conversation", data.conversation);
    addTo("day", dayOf(at));
  }

  return {
    tables: ["usage", "session_usage"],
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
    of: (kind, key) => get.get(kind, key),
    list(kind, { before = Number.MAX_SAFE_INTEGER, keys, limit }) {
      if (keys === undefined) return list.all(kind, before, limit);
      return listOf.all(kind, before, JSON.stringify(keys), limit);
    },
  };
}

/** The day where the hub runs. */
function dayOf(wall: number): string {
  const at = new Date(wall);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
