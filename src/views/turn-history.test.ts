import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { createEventStore } from "../journal/event-store.js";
import { newEvent } from "../model/events.js";

test("an agent's newest turns are found at once among 100,000, a page at a time, and what was never taken is none", () => {
  const hub = openTestHub();
  const store = createEventStore(hub.db);
  hub.db.transaction(() => {
    for (let i = 0; i < 100_000; i++) {
      const agent = `agent-${i % 10}`;
      const stop = i % 20 === 9 ? "not_taken" : "end_turn";
      const turn = { agent, turn: `t-${i}`, stop, text: `said ${i}`, messages: 1 } as const;
      store.append(newEvent("TurnEnded", agent, turn), i, i);
    }
  })();

  const history = (agent: string, before: number) =>
    hub.views.turns.history(agent, before, 2).map(({ seq, data }) => [seq, data.text]);
  const [newest, next] = history("agent-0", Number.MAX_SAFE_INTEGER);
  expect([newest?.[1], next?.[1]]).toEqual(["said 99990", "said 99980"]);
  expect(history("agent-0", Number(next?.[0])).map(([, text]) => text)).toEqual(["said 99970", "said 99960"]);
  expect(history("agent-9", Number.MAX_SAFE_INTEGER).map(([, text]) => text)).toEqual([
    "said 99999",
    "said 99979",
  ]);

  const plan = hub.db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT seq FROM event
       WHERE type = 'TurnEnded' AND json_extract(data, '$.stop') <> 'not_taken' AND subject = ? AND seq < ?
       ORDER BY seq DESC LIMIT ?`,
    )
    .all("agent-0", 1e9, 2);
  expect(JSON.stringify(plan)).toContain("event_turn");
  expect(JSON.stringify(plan)).not.toContain("TEMP B-TREE");
});
