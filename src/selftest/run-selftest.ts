import type { RuntimeKind } from "../model/hosting.js";
import type { Behaviour, Cell } from "./cell.js";
import { createHubLink, type OwnHub } from "./hub-link.js";
import { screenName, setUpBackends } from "./offline/offline-backends.js";
import type { OfflineWorld } from "./offline/offline-client.js";
import { type Place, writeSettings } from "./place.js";
import { createRow, type Row, type RowPlan, type World } from "./row.js";
import { scriptModel } from "./script-model.js";
import type { ScriptedModel } from "./scripted-model/scripted-model.js";
import { type Candidate, type Surveyed, type SurveyedRuntime, surveyCandidate } from "./survey.js";

/*
 * The whole run: one hub, one scripted model and one home for all backends. Backends are tried one after the other, the runtimes of one at
 * the same time; between their behaviours before and after, the hub is restarted once.
 */

export type SelftestOptions = {
  place: Place;
  hub: OwnHub;
  model: ScriptedModel;
  candidates: readonly Candidate[];
  runtimes: readonly RuntimeKind[];
  behaviours: ReadonlySet<Behaviour>;
  budgetMs: number;
  signal: AbortSignal;
  /** Its turn has come. */
  onBackend(found: Surveyed): void;
  /** Undefined: it is being tried. */
  onCell(row: RowPlan, behaviour: Behaviour, cell: Cell | undefined): void;
  /** The agent that failed still runs. */
  onFailure(row: RowPlan, behaviour: Behaviour, hub: World["hub"], agent: string): Promise<void>;
};

/** What one way to run a backend came to; without cells it is not installed here. */
export type RowResult = SurveyedRuntime & { cells: ReadonlyMap<Behaviour, Cell> };

export type BackendResult = { found: Surveyed; rows: readonly RowResult[] };

const AT_ONCE = 2;

export async function runSelftest(options: SelftestOptions): Promise<BackendResult[]> {
  const { place, model, candidates, budgetMs, signal } = options;
  scriptModel(model);
  const worldOf = ({ backend }: Candidate): OfflineWorld => ({
    home: place.home,
    cwd: place.project,
    modelUrl: model.laneUrl(backend.name),
    mcp: {},
  });
  const surveyed: Surveyed[] = [];
  // Each takes a core to say its version.
  for (let i = 0; i < candidates.length; i += AT_ONCE) {
    const some = candidates.slice(i, i + AT_ONCE);
    surveyed.push(...(await Promise.all(some.map((one) => surveyCandidate(one, place.env, worldOf(one))))));
    signal.throwIfAborted();
  }
  const isHere = ({ runtimes }: Surveyed) =>
    runtimes.some(({ runtime, program }) => program !== undefined && options.runtimes.includes(runtime));
  const backends = surveyed.filter(isHere).map((found) => {
    const { name, command, acp } = found.backend;
    const world = { ...worldOf(found), version: found.version };
    return setUpBackends(name, found.client, world, { command, ...(acp === undefined ? {} : { acp }) });
  });
  if (backends.length === 0) return surveyed.map((found) => ({ found, rows: rowsOf(found, options, []) }));

  writeSettings(place, Object.fromEntries(backends.flatMap((one) => Object.entries(one))), budgetMs);
  const hub = createHubLink(options.hub);
  try {
    await hub.start();
    signal.throwIfAborted();
    const results: BackendResult[] = [];
    let number = 0;
    const world: World = {
      hub,
      model,
      project: place.project,
      budgetMs,
      signal,
      nextNumber: () => ++number,
      onCell: options.onCell,
      onFailure: (row, behaviour, agent) => options.onFailure(row, behaviour, hub, agent),
    };
    for (const found of surveyed) {
      const rows = plansOf(found, options).map((plan) => ({ plan, row: createRow(plan, world) }));
      if (rows.length > 0) options.onBackend(found);
      await runRows(
        rows.map(({ row }) => row),
        world,
      );
      results.push({ found, rows: rowsOf(found, options, rows) });
    }
    return results;
  } finally {
    hub.close();
  }
}

async function runRows(rows: readonly Row[], { hub, signal }: World): Promise<void> {
  // The first by itself: opencode fails when several of it make the database of a new home at once.
  const [one, ...others] = rows;
  await one?.start();
  await Promise.all(others.map((row) => row.start()));
  await Promise.all(rows.map((row) => row.before()));
  signal.throwIfAborted();
  if (rows.some((row) => row.awaitsRestart())) await hub.restart();
  signal.throwIfAborted();
  await Promise.all(rows.map((row) => row.after()));
}

function plansOf({ backend, client, runtimes }: Surveyed, options: SelftestOptions): RowPlan[] {
  return runtimes.flatMap(({ runtime, program }) => {
    if (program === undefined || !options.runtimes.includes(runtime)) return [];
    return [
      {
        backend: backend.name,
        runtime,
        hubBackend: runtime === "tmux" ? screenName(backend.name) : backend.name,
        lane: backend.name,
        behaviours: options.behaviours,
        cannotAsk: client.cannotAsk?.find((one) => one.runtime === runtime)?.evidence,
      },
    ];
  });
}

function rowsOf(
  { runtimes }: Surveyed,
  options: SelftestOptions,
  rows: readonly { plan: RowPlan; row: Row }[],
): RowResult[] {
  return runtimes
    .filter(({ runtime }) => options.runtimes.includes(runtime))
    .map((one) => ({
      ...one,
      cells: rows.find(({ plan }) => plan.runtime === one.runtime)?.row.cells ?? new Map<Behaviour, Cell>(),
    }));
}
