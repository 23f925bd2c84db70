import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashToken } from "../../src/hub/rules/credentials.js";
import { openLazyViews } from "../../src/views/lazy/lazy-views.js";
import { statsView } from "../../src/views/lazy/stats.js";
import { CACHE } from "./lab.js";
import { type BenchJournal, openBenchJournal } from "./open-bench-journal.js";

/*
 * Data directories with many events, made by the hub's own commands: agents write to each other, read and acknowledge,
 * and each is left with a few unread messages, strewn over the whole history. Kept in .cache/bench for the next run,
 * under a name that changes with the code that makes them.
 */

export type Reader = { name: string; token: string };

/** Those who have unread mail in a long history, with the tokens that they were registered with. */
export const readers: readonly Reader[] = Array.from({ length: 100 }, (_, i) => ({
  name: `reader-${i}`,
  token: `reader-${i}-${"0".repeat(32)}`,
}));

const UNREAD = 5;
/** A read: so many sends, one offer, one acknowledgement. */
const SENDS = 50;
const CYCLE = SENDS + 2;

/** A data directory with about `events` events. It is used as it is: what little a run adds does no harm. */
export async function longHistory(events: number): Promise<string> {
  const key = hashSources(["src/hub", "src/journal/migrations", "src/model", "src/views"]);
  const home = join(CACHE, `history-${events}-${key}`);
  if (existsSync(home)) return home;
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE).filter((name) => name.startsWith(`history-${events}-`))) {
    rmSync(join(CACHE, old), { recursive: true, force: true });
  }
  console.error(`making a journal of ${events} events (once) …`);
  const making = `${home}.${process.pid}`;
  mkdirSync(making);
  try {
    await write(making, events);
    renameSync(making, home);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return home;
}

async function write(folder: string, events: number): Promise<void> {
  const journal = openBenchJournal(folder, [
    "journal.batch_commands=5000",
    "journal.batch_time=1s",
    "journal.wal_soft=64MiB",
    "journal.wal_cap=128MiB",
  ]);
  try {
    await fill(journal, events);
    const lazy = openLazyViews({
      file: join(folder, "huddle-views.db"),
      views: [statsView],
      events: journal.events,
      onCommitted: () => () => {},
      onProblem: (error) => console.error(error),
    });
    await lazy.caughtUp();
    lazy.close();
  } finally {
    await journal.close();
  }
}

async function fill({ execute, events }: BenchJournal, wanted: number): Promise<void> {
  const agents = await Promise.all(
    readers.map(({ name, token }) => execute("registerAgent", { name, credential: hashToken(token) })),
  );
  const turns = Math.max(1, Math.round((wanted - events.lastSeq()) / CYCLE / agents.length));
  let written = 0;
  for (let turn = 0; turn < turns; turn++) {
    const left = Math.floor(((turn + 1) * UNREAD) / turns) - Math.floor((turn * UNREAD) / turns);
    const sent = await Promise.all(
      agents.map(({ name }, i) => {
        const from = agents[(i + 1) % agents.length]?.id ?? "";
        return Promise.all(
          Array.from({ length: SENDS }, () =>
            execute("sendMessage", { from, to: name, content: words(written++) }),
          ),
        );
      }),
    );
    await Promise.all(agents.map(({ id }) => execute("offerMessages", { agent: id, route: "inbox" })));
    await Promise.all(
      agents.map(({ id }, i) => {
        const ids = (sent[i] ?? []).slice(left).map(({ messageId }) => messageId);
        return execute("acknowledge", { agent: id, ids });
      }),
    );
  }
}

/** About 200 bytes of words, of which some are common and some are not. */
function words(n: number): string {
  return Array.from(
    { length: 25 },
    (_, i) => `w${Math.floor(((n * 25 + i) * 7919) % (i % 2 === 0 ? 200 : 20_000))}`,
  )
    .join(" ")
    .padEnd(200, ".");
}

function hashSources(folders: readonly string[]): string {
  const hash = createHash("sha256");
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      if (/(?<!\.test)\.(ts|sql)$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest("hex").slice(0, 12);
}
