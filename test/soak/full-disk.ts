import { join } from "node:path";
import { parseObject } from "../fakes/http-call.js";
import { createHubYard, type HubProcess, launchHub, signalProcess } from "../fakes/hub-process.js";
import { drainInbox, type Identity, type Member, memberAt, registerAgent } from "../fakes/member.js";
import type { SmallDisk } from "../fakes/small-disk.js";
import { compareInbox, createLedger, type Ledger } from "./ledger.js";

/*
 * Promise 6 on a real full disk: messages until 507, nothing accepted is lost, and with space given back the same
 * process takes mail again; a hub killed on the full disk starts again.
 */

export type FullDiskResult = {
  accepted: number;
  refused: number;
  acceptedAfterRoom: number;
  /** Whether a hub killed on the full disk could start on it, or said that it is full. */
  restartWhenFull: "started" | "said so";
  violations: string[];
};

/** Writing the log back takes as much room as the log: what is given back must be more than its cap. */
const SETTINGS = [
  "presence.offline_after=24h",
  "inbox.cap=100000",
  "journal.wal_soft=1MiB",
  "journal.wal_cap=4MiB",
];
const REFUSALS_WANTED = 20;
const BALLAST = 8 * 1024 * 1024;
const ROOM_TO_READ = 512 * 1024 * 1024;

export async function runFullDisk(
  disk: SmallDisk,
  { bodyBytes }: { bodyBytes: number },
): Promise<FullDiskResult> {
  const yard = createHubYard();
  const home = join(disk.folder, "home");
  const ledger = createLedger();
  const ballasts = [disk.addBallast(BALLAST), disk.addBallast(BALLAST)];
  try {
    const hub = await yard.start({ home, set: SETTINGS });
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const ben = await registerAgent(hub.http, hub.join, { name: "ben" });

    const refused = await sendUntilRefused(ann, { batch: "first", bodyBytes, ledger });
    for (const id of refused) {
      const { status } = await ann.receipt(id);
      if (status !== 404) ledger.violation(`${id} was refused, and yet its receipt answers ${status}`);
    }
    ballasts[0]?.remove();
    await sendMore(ann, { ids: refused, bodyBytes, ledger });

    const again = await sendUntilRefused(ann, { batch: "second", bodyBytes, ledger });
    await hub.kill();
    const restartWhenFull = await restartOnFullDisk(home, ledger);
    ballasts[1]?.remove();
    const last = await yard.start({ home, set: SETTINGS });
    await sendMore(memberAt(last.http, ann), { ids: again, bodyBytes, ledger });
    // Reading and acknowledging is written down too, and takes more room than was given back.
    disk.grow(ROOM_TO_READ);
    await checkInbox(last, ben, ledger);
    await last.stop();
    return {
      accepted: ledger.accepted().length,
      refused: refused.length + again.length,
      acceptedAfterRoom: refused.length + again.length,
      restartWhenFull,
      violations: [...ledger.violations()],
    };
  } finally {
    await yard.clear();
  }
}

/** Either it starts, and what it holds can be read, or it says that the disk is full and what to do. */
async function restartOnFullDisk(home: string, ledger: Ledger): Promise<FullDiskResult["restartWhenFull"]> {
  const launch = launchHub({ home, set: SETTINGS });
  try {
    await launch.ready;
    signalProcess(launch.pid, "SIGKILL");
    await launch.ended;
    return "started";
  } catch {
    const { code, stderr } = await launch.ended;
    const refusal = parseObject(stderr);
    const isClear = /disk is full/i.test(String(refusal["error"])) && code !== 0;
    if (!isClear) ledger.violation(`started on a full disk it ended with ${code}: ${stderr}`);
    return "said so";
  }
}

/** Sends until twenty in a row were refused; returns the refused ids. */
async function sendUntilRefused(
  ann: Member,
  { batch, bodyBytes, ledger }: { batch: string; bodyBytes: number; ledger: Ledger },
): Promise<string[]> {
  const refused: string[] = [];
  for (let n = 0, inARow = 0; inARow < REFUSALS_WANTED && n < 100_000; n++) {
    const id = `${batch}-${n}`;
    const content = contentOf(id, bodyBytes);
    const answer = await ann.send("ben", content, { id });
    if (answer.status === 202) {
      inARow = 0;
      ledger.accept(ledger.issue({ id, from: "ann", to: "ben", content }), Number(answer.json["seq"]));
    } else {
      inARow++;
      refused.push(id);
      if (answer.status !== 507 || answer.json["code"] !== "STORAGE_FULL") {
        ledger.violation(`${id} was answered ${answer.status} ${answer.text}`);
        break;
      }
    }
  }
  return refused;
}

async function sendMore(
  ann: Member,
  { ids, bodyBytes, ledger }: { ids: readonly string[]; bodyBytes: number; ledger: Ledger },
): Promise<void> {
  for (const id of ids) {
    const content = contentOf(id, bodyBytes);
    const answer = await ann.send("ben", content, { id });
    if (answer.status === 202) {
      ledger.accept(ledger.issue({ id, from: "ann", to: "ben", content }), Number(answer.json["seq"]));
    } else ledger.violation(`with space again, ${id} was answered ${answer.status} ${answer.text}`);
  }
}

async function checkInbox(hub: HubProcess, ben: Identity, ledger: Ledger): Promise<void> {
  const read = await drainInbox(memberAt(hub.http, ben));
  const comparison = compareInbox(ledger.accepted(), read);
  for (const kind of ["lost", "duplicated", "invented", "changed"] as const) {
    for (const id of comparison[kind].slice(0, 10)) ledger.violation(`${id} is ${kind}`);
  }
}

function contentOf(id: string, bytes: number): string {
  return `${id} ${"z".repeat(bytes)}`;
}
