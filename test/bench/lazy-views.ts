import { join } from "node:path";
import { hashToken } from "../../src/hub/rules/credentials.js";
import { idEndsView } from "../../src/views/lazy/id-ends.js";
import { lastMessageView } from "../../src/views/lazy/last-message.js";
import { openLazyViews } from "../../src/views/lazy/lazy-views.js";
import { mailOfView } from "../../src/views/lazy/mail-of.js";
import { openSearch } from "../../src/views/lazy/search.js";
import { statsView } from "../../src/views/lazy/stats.js";
import { threadsView } from "../../src/views/lazy/threads.js";
import type { Lab } from "./lab.js";
import { openBenchJournal } from "./open-bench-journal.js";
import type { Measurement } from "./row.js";
import { summarize, takeTurns } from "./statistics.js";

const SENDERS = 32;

/** Sends at a saturated journal with the views that are only read following it, against the same without them. */
export const lazyViews: Measurement = {
  name: "lazy",
  async run(lab) {
    const sends = lab.quick ? 10_000 : 30_000;
    const pairs = await takeTurns(
      lab.quick ? 3 : 5,
      () => sendsPerSecond(lab, sends, false),
      () => sendsPerSecond(lab, sends, true),
    );
    return [
      {
        what: "Sends to a saturated journal while search, threads and statistics follow it",
        against: "with none of them",
        unit: "/s",
        ...summarize(pairs),
        limit: { on: "ratio", is: "at least", bound: 0.75 },
      },
    ];
  },
};

async function sendsPerSecond(lab: Lab, sends: number, isFollowed: boolean): Promise<number> {
  const folder = lab.folder();
  const journal = openBenchJournal(folder);
  const { execute, events, onCommitted } = journal;
  const onProblem = (error: unknown) => console.error(error);
  const views = [statsView, lastMessageView, threadsView, idEndsView, mailOfView];
  const lazy = isFollowed
    ? openLazyViews({ file: join(folder, "views.db"), views, events, onCommitted, onProblem })
    : undefined;
  const search = isFollowed
    ? openSearch({ file: join(folder, "search.db"), events, onCommitted, onProblem })
    : undefined;
  const alice = await execute("registerAgent", { name: "alice", credential: hashToken("alice") });
  await execute("registerAgent", { name: "bob", credential: hashToken("bob") });
  const content = "a message of some words that can be found again ".repeat(4);
  let left = sends;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (left-- > 0) await execute("sendMessage", { from: alice.id, to: "bob", content });
    }),
  );
  const took = performance.now() - start;
  lazy?.close();
  await search?.close();
  await journal.close();
  return (sends * 1000) / took;
}
