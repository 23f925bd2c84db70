import { setTimeout as sleep } from "node:timers/promises";
import { createHubYard, type HubProcess, launchHub, signalProcess } from "../fakes/hub-process.js";
import { drainInbox, type Identity, type Member, memberAt, registerAgent } from "../fakes/member.js";
import type { Random } from "../fakes/random.js";
import {
  type Comparison,
  compareInbox,
  createLedger,
  type Entry,
  findDisorder,
  type Ledger,
  type Read,
} from "./ledger.js";
import { createSender, type Sender } from "./ledger-sender.js";

/*
 * Promises 1 and 2: accepted means on disk, and once in the inbox. One data directory through all cycles: start, let
 * senders send with ids that they know, kill -9 at a random moment, again. What a sender got no answer to, it sends
 * again with the same id. In the end every accepted message is there exactly once, in order.
 */

export type KillLoopOptions = { kills: number; leastSends: number; random: Random; onKill?: () => void };

export type KillLoopResult = {
  kills: number;
  killedWhileStarting: number;
  sends: number;
  duplicates: number;
  accepted: number;
  unanswered: number;
  lost: number;
  duplicated: number;
  violations: string[];
  startMs: number;
};

const SETTINGS = [
  "inbox.cap=1000000",
  "inbox.read_messages=1000",
  "presence.offline_after=24h",
  // Small, so that kills hit checkpoints too.
  "journal.wal_soft=256KiB",
  "journal.wal_cap=1MiB",
];

/** Each sends to each recipient in turn; the last one has several messages under way at once. */
const SENDERS = ["ann", "ben", "cat", "dan"];
const RECIPIENTS = ["reads-later", "reads-along"];

export async function runKillLoop({
  kills,
  leastSends,
  random,
  onKill,
}: KillLoopOptions): Promise<KillLoopResult> {
  const yard = createHubYard();
  const home = yard.home();
  const ledger = createLedger();
  const start = () => yard.start({ home, set: SETTINGS });
  try {
    let hub = await start();
    const senders = await Promise.all(SENDERS.map((name) => join(hub, name)));
    const [later, reader] = await Promise.all(RECIPIENTS.map((name) => join(hub, name)));
    if (later === undefined || reader === undefined) throw new Error("no recipients");
    const workers = senders.map((identity, i) =>
      createSender({
        identity,
        ledger,
        random,
        recipients: RECIPIENTS,
        window: i === SENDERS.length - 1 ? 8 : 1,
      }),
    );
    const along: Along = { handedOver: new Map(), acked: new Set(), ledger };
    let killedWhileStarting = 0;
    let startMs = 0;
    let starts = 0;

    for (let done = 0; done < kills; done++) {
      if (done > 0) onKill?.();
      // Also in the shortest run: its last one.
      if (done > 0 && (done === kills - 1 || random.chance(0.1))) {
        await killWhileStarting(home, random);
        killedWhileStarting++;
        continue;
      }
      if (done > 0) {
        const began = performance.now();
        hub = await start();
        startMs += performance.now() - began;
        starts++;
      }
      const current = hub;
      const stop = new AbortController();
      const work = [
        ...workers.map((worker) => worker.run(current.http, stop.signal)),
        readAlong(memberAt(current.http, reader), along, stop.signal),
      ];
      await sleep(random.between(50, 150));
      signalProcess(current.pid, "SIGKILL");
      stop.abort();
      await Promise.all([...work, current.kill()]);
    }

    hub = await start();
    await sendUntil(workers, hub, leastSends);
    const read = await drainInbox(memberAt(hub.http, later));
    const rest = await drainInbox(memberAt(hub.http, reader));
    noteReturns(along, rest);
    const stillOpen = new Set(rest.map(({ id }) => id));
    const settled = [...along.handedOver.values()].filter(({ id }) => !stillOpen.has(id));
    const unsure = settled.filter(({ id }) => !along.acked.has(id));
    await checkReceipts(hub, { ledger, senders, entries: entriesOf(ledger, unsure) });
    const comparisons = [
      judge(ledger, workers, { to: "reads-later", read }),
      judge(ledger, workers, { to: "reads-along", read: [...settled, ...rest] }),
    ];
    const accepted = ledger.accepted();
    const sample = Array.from({ length: Math.min(200, accepted.length / 5) }, () => random.pick(accepted));
    await checkReceipts(hub, { ledger, senders, entries: sample });
    await hub.stop();
    return {
      kills,
      killedWhileStarting,
      sends: sum(workers.map(({ counts }) => counts().sends)),
      duplicates: sum(workers.map(({ counts }) => counts().duplicates)),
      unanswered: sum(workers.map(({ counts }) => counts().unanswered)),
      accepted: accepted.length,
      lost: sum(comparisons.map(({ lost }) => lost.length)),
      duplicated: sum(comparisons.map(({ duplicated }) => duplicated.length)),
      violations: [...ledger.violations()],
      startMs: starts === 0 ? 0 : startMs / starts,
    };
  } finally {
    await yard.clear();
  }
}

async function join(hub: HubProcess, name: string): Promise<Identity> {
  return registerAgent(hub.http, hub.join, { name });
}

/** The first moments matter too: recovery itself must survive being killed. */
async function killWhileStarting(home: string, random: Random): Promise<void> {
  const launch = launchHub({ home, set: SETTINGS });
  await Promise.race([sleep(random.between(20, 600)), launch.ready.catch(() => {})]);
  signalProcess(launch.pid, "SIGKILL");
  await launch.ended;
}

/** Without kills: what was left unanswered is settled, and the promised number of sends is reached. */
async function sendUntil(workers: readonly Sender[], hub: HubProcess, leastSends: number): Promise<void> {
  const enough = new AbortController();
  const sent = () => sum(workers.map(({ counts }) => counts().sends));
  const work = workers.map((worker) => worker.run(hub.http, enough.signal));
  let end: string | undefined;
  void hub.ended.then(({ code, stderr }) => {
    end = `the hub ended by itself (${code}): ${stderr.slice(-2000)}`;
  });
  while (sent() < leastSends && end === undefined) await sleep(20);
  enough.abort();
  await Promise.all(work);
  if (end !== undefined) throw new Error(end);
  await Promise.all(workers.map((worker) => worker.settle(hub.http)));
}

type Along = {
  /** All that was ever read. */
  handedOver: Map<string, Read>;
  /** Those whose acknowledgement was answered: they must never come again. */
  acked: Set<string>;
  ledger: Ledger;
};

/** A reader that takes its mail while hubs die under it. */
async function readAlong(member: Member, along: Along, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const messages = await member.inbox("?wait=1");
      if (messages.length === 0) continue;
      noteReturns(along, messages);
      for (const message of messages) along.handedOver.set(message.id, message);
      const answer = await member.ack(messages.map(({ id }) => id));
      if (answer.status === 200) for (const { id } of messages) along.acked.add(id);
    }
  } catch {
    // The hub was killed. What it did not note as acknowledged comes again; what it did says so in its receipt.
  }
}

function noteReturns({ acked, ledger }: Along, messages: readonly Read[]): void {
  for (const { id } of messages) {
    if (acked.has(id)) ledger.violation(`${id} came back after its acknowledgement was answered`);
  }
}

function entriesOf(ledger: Ledger, read: readonly Read[]): Entry[] {
  const ids = new Set(read.map(({ id }) => id));
  return ledger.issued().filter(({ id }) => ids.has(id));
}

function judge(
  ledger: Ledger,
  workers: readonly Sender[],
  { to, read }: { to: string; read: readonly Read[] },
): Comparison {
  const accepted = ledger.accepted().filter((entry) => entry.to === to);
  const comparison = compareInbox(accepted, read);
  for (const kind of ["lost", "duplicated", "invented", "changed"] as const) {
    for (const id of comparison[kind].slice(0, 10)) ledger.violation(`${to}: ${id} is ${kind}`);
  }
  const sequential = new Set(workers.filter(({ window }) => window === 1).map(({ name }) => name));
  const inOrder = accepted.filter(({ from }) => sequential.has(from));
  for (const problem of findDisorder(inOrder, read)) ledger.violation(`${to}: ${problem}`);
  return comparison;
}

/** The sender's own view: one delivery each, acknowledged, under the number that it was told. */
async function checkReceipts(
  hub: HubProcess,
  { ledger, senders, entries }: { ledger: Ledger; senders: readonly Identity[]; entries: readonly Entry[] },
): Promise<void> {
  for (const entry of entries) {
    const identity = senders.find(({ name }) => name === entry.from);
    if (identity === undefined) continue;
    const { json } = await memberAt(hub.http, identity).receipt(entry.id);
    const message = json["message"] as { seq: number } | undefined;
    const deliveries = json["deliveries"] as { to: string; state: string }[] | undefined;
    const isRight = message?.seq === entry.seq && deliveries?.length === 1 && deliveries[0]?.state === "seen";
    if (!isRight) ledger.violation(`the receipt of ${entry.id} says ${JSON.stringify(json).slice(0, 300)}`);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
