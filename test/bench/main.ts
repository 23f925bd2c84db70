import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clients } from "../clients/clients.js";
import { currentCommit } from "../soak/soak-store.js";
import { bridgeMemory } from "./bridge-memory.js";
import { bridgeStart } from "./bridge-start.js";
import { bridgeWake } from "./bridge-wake.js";
import { broadcast } from "./broadcast.js";
import { measureCli } from "./clis/measure-cli.js";
import { deskCrowd } from "./desk/desk-crowd.js";
import { deskDag } from "./desk/desk-dag.js";
import { deskLog } from "./desk/desk-log.js";
import { deskMessage } from "./desk/desk-message.js";
import { deskNetwork } from "./desk/desk-network.js";
import { deskOpen } from "./desk/desk-open.js";
import { durableSend } from "./durable-send.js";
import { fabric } from "./fabric.js";
import { fabricCrowd } from "./fabric-crowd.js";
import { fabricMailboxes } from "./fabric-mailboxes.js";
import { fabricPairs } from "./fabric-pairs.js";
import { fullCommit } from "./full-commit.js";
import { held } from "./held.js";
import { hostedCrowd } from "./hosted-crowd.js";
import { hubStart } from "./hub-start.js";
import { inject } from "./inject.js";
import { type Lab, openLab } from "./lab.js";
import { lazyViews } from "./lazy-views.js";
import { links } from "./links.js";
import { liveReader } from "./live-reader.js";
import { mcp } from "./mcp.js";
import { pane } from "./pane.js";
import { quietMoment } from "./quiet-moment.js";
import { ready } from "./ready.js";
import { renderTable, writePage } from "./render-table.js";
import { isMet, type Measurement, type Row } from "./row.js";
import { search } from "./search.js";
import { socketMail } from "./socket-mail.js";
import { unreadRead } from "./unread-read.js";
import { waitingReaders } from "./waiting-readers.js";
import { wake } from "./wake.js";
import { within } from "./within.js";
import { workflows } from "./workflows.js";

/*
 * The numbers that the hub promises, each as a ratio to something plain that is measured in the same run, turn by turn.
 */
const measurements: readonly Measurement[] = [
  durableSend,
  fullCommit,
  held,
  wake,
  unreadRead,
  waitingReaders,
  socketMail,
  broadcast,
  mcp,
  lazyViews,
  hubStart,
  ready,
  bridgeStart,
  bridgeMemory,
  bridgeWake,
  search,
  inject,
  pane,
  hostedCrowd,
  liveReader,
  workflows,
  links,
  fabric,
  fabricPairs,
  fabricCrowd,
  fabricMailboxes,
  deskOpen,
  deskMessage,
  deskCrowd,
  deskNetwork,
  deskDag,
  deskLog,
  ...clients.flatMap(measureCli),
];
/** Making a long history for the first time is most of it. */
const LONGEST_MS = 600_000;

const PAGE = join("docs", "benchmarks.md");

const options = readOptions();

const rows: Row[] = [];
const failures: string[] = [];
/** How busy the machine was when each measurement began. */
const loads: number[] = [];
let lab: Lab | undefined;
let current = "";
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void abandon(130));
}
process.once("uncaughtException", (error) => {
  console.error(error);
  void abandon(1);
});

for (const { name, run, longestMs = LONGEST_MS } of choose(options.only)) {
  if (options["when-quiet"]) await quietMoment();
  const [load = 0] = loadavg();
  loads.push(load);
  console.error(`measuring ${name} (load ${load.toFixed(2)}) …`);
  lab = openLab({ quick: options.quick });
  current = name;
  try {
    rows.push(...(await within(longestMs, `measuring ${name}`, run(lab))));
  } catch (error) {
    console.error(error);
    failures.push(name);
  } finally {
    await lab.close();
  }
}

process.exit(report() ? 0 : 1);

/** Tells what was measured, and whether it is all that was asked for and within its limits. */
function report(): boolean {
  const machine = `${cpus().length} cores, ${cpus()[0]?.model.trim()}; Node ${process.versions.node}`;
  const table = renderTable(rows);
  console.log(
    options.json
      ? JSON.stringify({ machine, quick: options.quick, failures, rows: rows.map(judge) }, null, 2)
      : table,
  );
  if (!options.json) console.log(`\n${machine}`);
  const run = `${new Date().toISOString().slice(0, 10)}, \`${currentCommit()}\`, load ${extent(loads)}`;
  if (options.write && !writePage(rows, { machine, run }, PAGE)) {
    console.error(`${PAGE} lacks a pair of the markers in render-table.ts; nothing was written.`);
  }
  if (failures.length > 0) console.error(`Not measured, see above: ${failures.join(", ")}`);
  return failures.length === 0 && rows.every(isMet);
}

/** Nothing that was started outlives the bench, and what was measured is told. */
async function abandon(code: number): Promise<void> {
  failures.push(current);
  await lab?.close();
  report();
  process.exit(code);
}

function extent(numbers: readonly number[]): string {
  const ends = [Math.min(...numbers), Math.max(...numbers)].map((end) => end.toFixed(0));
  return [...new Set(ends)].join(" to ");
}

function judge(row: Row) {
  return { ...row, ok: isMet(row) };
}

function readOptions() {
  const usage = `Usage: npm run bench -- [--quick] [--only name,name] [--when-quiet] [--json] [--write]
  --quick         fewer rounds: to see that it runs, not to trust the numbers
  --only NAMES    of ${measurements.map(({ name }) => name).join(", ")};
                  the first words of a name choose all that begin so: claude, claude-tmux
  --when-quiet    before each measurement, wait until the machine does little else
  --json          one document instead of the table
  --write         put the table into docs/benchmarks.md; rows of CLIs that were not measured now stay there`;
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: "boolean", default: false },
        only: { type: "string" },
        "when-quiet": { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (!values.help) return values;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

function choose(only: string | undefined): readonly Measurement[] {
  if (only === undefined) return measurements;
  const names = only.split(",");
  const known = measurements.map(({ name }) => name);
  const begins = (name: string, words: string) => name === words || name.startsWith(`${words}-`);
  const unknown = names.filter((words) => !known.some((name) => begins(name, words)));
  if (unknown.length === 0)
    return measurements.filter(({ name }) => names.some((words) => begins(name, words)));
  console.error(`No measurement is named ${unknown.join(", ")}; there are ${known.join(", ")}.`);
  process.exit(2);
}
