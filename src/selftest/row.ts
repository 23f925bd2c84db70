import { HubError } from "../model/errors.js";
import type { RuntimeKind } from "../model/hosting.js";
import { interrupt } from "./behaviours/interrupt.js";
import { kill } from "./behaviours/kill.js";
import { permission } from "./behaviours/permission.js";
import { queue } from "./behaviours/queue.js";
import { receive } from "./behaviours/receive.js";
import { remember, resume } from "./behaviours/resume.js";
import { spawn } from "./behaviours/spawn.js";
import { tool } from "./behaviours/tool.js";
import { type Behaviour, type Cell, CellFailure } from "./cell.js";
import { explain } from "./explain.js";
import type { HubLink } from "./hub-link.js";
import { peerOf } from "./script-model.js";
import type { ScriptedModel } from "./scripted-model/scripted-model.js";
import type { Peer, Stage } from "./stage.js";

/*
 * One way to run one backend. Its agent lives through the behaviours from its start to its end. After one that fails it is killed; a new agent
 * tries it once more and goes on, so that what one behaviour broke fails no other. An agent that does not start, or gets no message, has
 * nothing more to show.
 */

export type RowPlan = {
  /** As the person calls the backend. */
  backend: string;
  runtime: RuntimeKind;
  /** What the throw-away hub calls it under this runtime. */
  hubBackend: string;
  lane: string;
  behaviours: ReadonlySet<Behaviour>;
  /** The vendor's own evidence that it has no way to ask. */
  cannotAsk: string | undefined;
};

export type World = {
  hub: HubLink;
  model: ScriptedModel;
  project: string;
  budgetMs: number;
  /** A number that no other agent of this run has. */
  nextNumber(): number;
  signal: AbortSignal;
  /** Undefined: it is being tried. */
  onCell(row: RowPlan, behaviour: Behaviour, cell: Cell | undefined): void;
  /** While the agent that failed is still there. */
  onFailure(row: RowPlan, behaviour: Behaviour, agent: string): Promise<void>;
};

export type Row = {
  cells: ReadonlyMap<Behaviour, Cell>;
  start(): Promise<void>;
  /** What comes before the restart of the hub. */
  before(): Promise<void>;
  /** Whether it has an agent that is to go on after a restart. */
  awaitsRestart(): boolean;
  after(): Promise<void>;
};

type Agent = { name: string; id: string; peer: Peer };

/** Without these there is nothing more to try. */
const first: ReadonlySet<Behaviour> = new Set(["spawn", "receive"]);
/** What is tried once more, with the next agent: a busy machine must not make a runtime look broken. */
const repeatable: ReadonlySet<Behaviour> = new Set(["tool", "queue", "permission", "interrupt"]);

export function createRow(plan: RowPlan, world: World): Row {
  const cells = new Map<Behaviour, Cell>();
  let agent: Agent | undefined;
  let isOver: string | undefined;
  let remembers = false;

  function settle(behaviour: Behaviour, cell: Cell) {
    cells.set(behaviour, cell);
    world.onCell(plan, behaviour, cell);
  }

  function stageFor({ name, id, peer }: Agent): Stage {
    const { hub, model, project, budgetMs, signal } = world;
    const { lane, runtime, hubBackend: backend } = plan;
    const deadline = performance.now() + budgetMs;
    return { hub, model, project, budgetMs, signal, lane, runtime, backend, agent: name, id, peer, deadline };
  }

  async function hire(): Promise<void> {
    const name = `${plan.runtime}-${world.nextNumber()}`;
    const { token } = await world.hub.operator().register({ name: peerOf(name) });
    agent = { name, id: "", peer: { name: peerOf(name), token } };
    agent.id = await spawn(stageFor(agent));
  }

  async function dismiss(): Promise<void> {
    // What has not started, or was killed, is gone already.
    if (agent !== undefined)
      await world.hub.operator().kill(agent.name, { timeoutMs: world.budgetMs }).catch(ignore);
    agent = undefined;
  }

  /** Tries a behaviour, or a part of it: one that works to its end settles the cell. */
  async function attempt(behaviour: Behaviour, act: () => Promise<void>, part: "all" | "begin" = "all") {
    if (!plan.behaviours.has(behaviour) && behaviour !== "spawn") return;
    if (isOver !== undefined) return settle(behaviour, { kind: "not_run", reason: isOver });
    world.onCell(plan, behaviour, undefined);
    let cell = await tryOnce(behaviour, act);
    if (cell.kind === "fails" && repeatable.has(behaviour) && agent !== undefined) {
      const again = await tryOnce(behaviour, act);
      if (again.kind === "works") cell = { kind: "retried", ms: again.ms, reason: cell.reason };
    }
    if (part === "all" || cell.kind !== "works") settle(behaviour, cell);
  }

  async function tryOnce(behaviour: Behaviour, act: () => Promise<void>): Promise<Cell> {
    const begun = performance.now();
    try {
      await act();
      return { kind: "works", ms: msSince(begun) };
    } catch (error) {
      world.signal.throwIfAborted();
      if (!(error instanceof CellFailure || error instanceof HubError)) throw error;
      const cell = explain(plan, behaviour, error, msSince(begun));
      if (agent !== undefined) await world.onFailure(plan, behaviour, agent.name);
      await startOver(behaviour);
      return cell;
    }
  }

  async function startOver(failed: Behaviour): Promise<void> {
    await dismiss();
    if (first.has(failed) || failed === "kill") isOver = `${failed} did not work`;
    else await hire().catch(giveUp);
  }

  function giveUp(error: unknown) {
    world.signal.throwIfAborted();
    isOver = `a second agent did not start: ${error instanceof Error ? error.message : String(error)}`;
  }

  const run = (act: (stage: Stage) => Promise<void>) => async () => {
    if (agent !== undefined) await act(stageFor(agent));
  };

  return {
    cells,
    start: () => attempt("spawn", hire),
    async before() {
      await attempt("receive", run(receive));
      await attempt("tool", run(tool));
      await attempt("queue", run(queue));
      if (plan.cannotAsk === undefined) await attempt("permission", run(permission));
      else if (plan.behaviours.has("permission"))
        settle("permission", { kind: "cannot", reason: plan.cannotAsk });
      await attempt("interrupt", run(interrupt));
      await attempt("resume", run(remember), "begin");
      remembers = plan.behaviours.has("resume") && !cells.has("resume");
    },
    awaitsRestart: () => remembers,
    async after() {
      if (remembers) await attempt("resume", run(resume));
      await attempt("kill", run(kill));
      await dismiss();
    },
  };
}

function msSince(begun: number): number {
  return Math.round(performance.now() - begun);
}

function ignore(error: unknown): void {
  if (!(error instanceof HubError)) throw error;
}
