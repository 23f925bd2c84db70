import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../fakes/http-call.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { drainInbox, type Identity, memberAt, registerAgent } from "../fakes/member.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import type { Random } from "../fakes/random.js";
import { type Fault, injectFault } from "../fakes/strace.js";
import { compareInbox, createLedger, type Entry, findDisorder, type Ledger } from "./ledger.js";

/*
 * Promise 6: honest failure. The hub runs under strace, which makes chosen writes or flushes of the journal fail.
 *
 *   no space            507, nothing half stored, and the hub goes on once there is space again
 *   input/output error  503 OUTCOME_UNKNOWN to those who wait, the hub ends with a failure, starts again cleanly
 *
 * Either way everything accepted is there, and what failed is stored exactly once when it is sent again.
 */

export type FaultPoint = Fault & { name: string; bodyBytes: number };

export type FaultResult = {
  point: FaultPoint;
  accepted: number;
  refused: number;
  unknown: number;
  /** How the hub ended by itself, if it did. */
  exitCode: number | null | undefined;
  violations: string[];
};

const SENDERS = ["ann", "ben", "cat", "dan"];
const SETTINGS = ["presence.offline_after=24h", "inbox.cap=100000", "inbox.read_messages=1000"];
const ROUNDS = 12;

/** Each round writes and flushes at least once, so every one of these is hit. */
export function chooseFaultPoints(count: number, random: Random): FaultPoint[] {
  return Array.from({ length: count }, (_, i) => {
    const what = i % 2 === 0 ? "flush" : "write";
    const error = what === "write" && i % 4 === 1 ? "ENOSPC" : "EIO";
    const first = 1 + ((i >> 1) % (what === "flush" ? ROUNDS : 5 * ROUNDS));
    const last = error === "ENOSPC" ? first + random.int(4) : first;
    const bodyBytes = random.pick([20, 2000, 60_000]);
    return {
      what,
      error,
      first,
      last,
      bodyBytes,
      name: `${error} on ${what} ${first}..${last}, ${bodyBytes} bytes`,
    };
  });
}

export async function runFaultPoint(point: FaultPoint, prepared: Prepared): Promise<FaultResult> {
  const yard = createHubYard();
  const home = yard.home();
  cpSync(prepared.home, home, { recursive: true });
  const { senders, reader } = prepared;
  const ledger = createLedger();
  const result: FaultResult = {
    point,
    accepted: 0,
    refused: 0,
    unknown: 0,
    exitCode: undefined,
    violations: [],
  };
  try {
    const under = injectFault(join(home, "huddle.db-wal"), point);
    const hub = await yard.start({ home, under, set: SETTINGS });
    const failed = await sendThroughFault(hub, senders, { point, ledger, result });

    let after = hub;
    if (point.error === "EIO") {
      result.exitCode = await endOf(hub);
      if (result.exitCode === undefined) {
        ledger.violation("the hub went on after an input/output error");
        await hub.kill();
      }
      if (result.exitCode === 0) ledger.violation("the hub called an input/output error a success");
      if (result.unknown === 0) ledger.violation("nobody was told that the outcome is unknown");
      after = await yard.start({ home, set: SETTINGS });
    } else {
      if (result.refused === 0) ledger.violation("nobody was told that the disk is full");
      await checkNothingHalfStored(hub, { senders, failed, ledger });
    }
    await resend(after, { senders, failed, ledger });
    // What is read is what the next start finds on the disk.
    await after.kill();
    const last = await yard.start({ home, set: SETTINGS });
    const read = await drainInbox(memberAt(last.http, reader));
    const comparison = compareInbox(ledger.accepted(), read);
    for (const kind of ["lost", "duplicated", "invented", "changed"] as const) {
      for (const id of comparison[kind]) ledger.violation(`${id} is ${kind}`);
    }
    for (const problem of findDisorder([], read)) ledger.violation(problem);
    await last.stop();
    result.accepted = ledger.accepted().length;
    result.violations = [...ledger.violations()];
    return result;
  } finally {
    await yard.clear();
  }
}

/** A home whose agents are registered, for every fault point to begin with a copy of. */
export type Prepared = { home: string; senders: Identity[]; reader: Identity };

export async function prepareFaults(yard: HubYard): Promise<Prepared> {
  const home = yard.home();
  const hub = await yard.start({ home, set: SETTINGS });
  const senders = await Promise.all(SENDERS.map((name) => registerAgent(hub.http, hub.join, { name })));
  const reader = await registerAgent(hub.http, hub.join, { name: "reader" });
  await hub.stop();
  return { home, senders, reader };
}

type Through = { point: FaultPoint; ledger: Ledger; result: FaultResult };

/** Every sender sends one after the other; returns what was not accepted. */
async function sendThroughFault(
  hub: HubProcess,
  senders: readonly Identity[],
  { point, ledger, result }: Through,
): Promise<Entry[]> {
  const failed: Entry[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      senders.map(async (sender) => {
        const id = `${sender.name}-${round}`;
        const content = `${id} ${"y".repeat(point.bodyBytes)}`;
        const entry = ledger.issue({ id, from: sender.name, to: "reader", content });
        const answer = await memberAt(hub.http, sender)
          .send("reader", content, { id })
          .catch(() => undefined);
        const kind = classify(answer, point);
        if (kind === "accepted") ledger.accept(entry, Number(answer?.json["seq"]));
        else failed.push(entry);
        if (kind === "refused") result.refused++;
        if (kind === "unknown") result.unknown++;
        if (kind === "wrong") ledger.violation(`${id} was answered ${answer?.status} ${answer?.text}`);
      }),
    );
  }
  return failed;
}

type Kind = "accepted" | "refused" | "unknown" | "unreachable" | "wrong";

function classify(answer: Answer | undefined, point: FaultPoint): Kind {
  if (answer === undefined) return point.error === "EIO" ? "unreachable" : "wrong";
  const { status, json } = answer;
  if (status === 202) return "accepted";
  if (status === 507 && json["code"] === "STORAGE_FULL" && json["delivered"] === false) return "refused";
  const isUnknown = status === 503 && json["code"] === "OUTCOME_UNKNOWN" && json["delivered"] === false;
  if (isUnknown) return point.error === "EIO" ? "unknown" : "wrong";
  return status === 503 && json["code"] === "SHUTTING_DOWN" && point.error === "EIO"
    ? "unreachable"
    : "wrong";
}

/** The exit code, or undefined if it still runs long afterwards. */
function endOf(hub: HubProcess): Promise<number | null | undefined> {
  return Promise.race([
    hub.ended.then(({ code }) => code),
    sleep(PATIENCE_MS, undefined, { ref: false }).then(() => undefined),
  ]);
}

type Failed = { senders: readonly Identity[]; failed: readonly Entry[]; ledger: Ledger };

async function checkNothingHalfStored(hub: HubProcess, { senders, failed, ledger }: Failed): Promise<void> {
  for (const entry of failed) {
    const answer = await senderOf(hub, senders, entry).receipt(entry.id);
    if (answer.status !== 404) ledger.violation(`${entry.id} was refused, and yet ${answer.text}`);
  }
}

async function resend(hub: HubProcess, { senders, failed, ledger }: Failed): Promise<void> {
  for (const entry of failed) {
    const answer = await senderOf(hub, senders, entry).send("reader", entry.content, { id: entry.id });
    if (answer.status === 202) ledger.accept(entry, Number(answer.json["seq"]));
    else ledger.violation(`${entry.id} sent again was answered ${answer.status} ${answer.text}`);
  }
}

function senderOf(hub: HubProcess, senders: readonly Identity[], entry: Entry) {
  const identity = senders.find(({ name }) => name === entry.from);
  if (identity === undefined) throw new Error(`nobody is called ${entry.from}`);
  return memberAt(hub.http, identity);
}
