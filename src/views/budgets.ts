import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { Budget, BudgetKind, Used } from "../model/usage.js";

type Row = {
  kind: BudgetKind;
  key: string;
  reached: number | null;
  usd: number | null;
  tokens: number | null;
  from_usd: number;
  from_tokens: number;
};

/** `at` is wall time. */
export type ReachedBudget = { kind: BudgetKind; key: string; at: number; budget: Budget };

/** Who is at its budget and waits for the person. */
export type Budgets = View & {
  reached(kind: BudgetKind, key: string): ReachedBudget | undefined;
  allReached(): ReachedBudget[];
  /** What was used when the person last let it go on: what counts is what came after. */
  from(kind: BudgetKind, key: string): Used;
};

export function createBudgets(db: Database): Budgets {
  const get = db.prepare<[string, string], Row>("SELECT * FROM budget WHERE kind = ? AND key = ?");
  const held = db.prepare<[], Row>("SELECT * FROM budget WHERE reached IS NOT NULL ORDER BY reached");
  const reach = db.prepare(
    `INSERT INTO budget (kind, key, reached, usd, tokens, from_usd, from_tokens) VALUES (?, ?, ?, ?, ?, 0, 0)
     ON CONFLICT (kind, key) DO UPDATE SET reached = excluded.reached, usd = excluded.usd, tokens = excluded.tokens`,
  );
  const free = db.prepare("UPDATE budget SET reached = NULL WHERE kind = ? AND key = ?");
  const goOn = db.prepare(
    "UPDATE budget SET reached = NULL, from_usd = ?, from_tokens = ? WHERE kind = ? AND key = ?",
  );
  const forgetAgent = db.prepare("DELETE FROM budget WHERE kind = 'agent' AND key = ?");

  // Asked for at every turn, and mostly empty.
  let known: ReadonlyMap<string, ReachedBudget> | undefined;
  const forget = () => {
    known = undefined;
  };
  const all = () => (known ??= new Map(held.all().map((row) => [`${row.kind} ${row.key}`, toReached(row)])));

  return {
    tables: ["budget"],
    forget,
    folds: {
      BudgetReached({ at, data: { kind, key, budget } }) {
        forget();
        reach.run(kind, key, at, budget.usd ?? null, budget.tokens ?? null);
      },
      BudgetDecided({ data: { kind, key, decision, used } }) {
        forget();
        if (decision === "continue") goOn.run(used.usd, used.tokens, kind, key);
        else free.run(kind, key);
      },
      AgentDeregistered({ data }) {
        forget();
        forgetAgent.run(data.agent);
      },
    },
    reached: (kind, key) => all().get(`${kind} ${key}`),
    allReached: () => [...all().values()],
    from(kind, key) {
      const row = get.get(kind, key);
      return { usd: row?.from_usd ?? 0, tokens: row?.from_tokens ?? 0 };
    },
  };
}

function toReached({ kind, key, reached, usd, tokens }: Row): ReachedBudget {
  const budget = { ...(usd === null ? {} : { usd }), ...(tokens === null ? {} : { tokens }) };
  return { kind, key, at: reached ?? 0, budget };
}
