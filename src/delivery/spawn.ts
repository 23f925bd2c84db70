import type { ExecuteCommand } from "../hub/deciders.js";
import { teamOf } from "../hub/rules/address-of.js";
import type { Listen } from "../journal/signal.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { RuntimeKind } from "../model/hosting.js";
import { checkAgentName, firstFreeName, toName } from "../model/names.js";
import { paneTarget } from "../model/pane-target.js";
import { runtimeTraits } from "../model/runtime-traits.js";
import type { Spawned, SpawnRequest } from "../model/spawn-request.js";
import type { ToolsetName } from "../model/toolset.js";
import type { Backend } from "../runtime/backend.js";
import type { RuntimeChoice } from "../runtime/backends/choose-runtime.js";
import { findBackend } from "../runtime/backends/find-backend.js";
import { RuntimeError } from "../runtime/runtime.js";
import type { TightViews } from "../views/tight.js";
import type { RefusedSpawns } from "./refused-spawns.js";
import { failure, watchOutcomes } from "./spawn-outcomes.js";
import type { After } from "./timers.js";
import type { WantedWorktree } from "./worktrees/worktree-maker.js";

type SpawnPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  backends: ReadonlyMap<string, Backend>;
  /** What an agent runs on when whoever asks for it does not say. */
  backendFor: (by: AgentId) => string | undefined;
  runtimes: readonly RuntimeKind[];
  /** How it is run when nobody says. */
  chooseRuntime: (backend: Backend, asked?: RuntimeKind) => RuntimeChoice;
  /** Its program ended as it started, or did start. */
  runtimeFailed: (backend: Backend, runtime: RuntimeKind) => void;
  runtimeStarted: (backend: Backend, runtime: RuntimeKind) => void;
  /** What agents get unless their backend, or whoever asks, says otherwise. */
  tools: ToolsetName;
  refused: RefusedSpawns;
  worktrees: {
    /** A worktree of the project, for an agent that is not there yet: the folder that it works in. */
    make: (wanted: WantedWorktree) => Promise<string>;
    /** The agent did not come to be. */
    drop: (agent: AgentId) => Promise<void>;
  };
  newId: () => AgentId;
  /** The folder that is meant, if agents may work there. */
  checkProject: (project: string) => string;
  /** How long whoever asks is kept waiting for the start. */
  patienceMs: number;
};

/** Has an agent started, and waits for a while to see whether it was. */
export function createSpawn(ports: SpawnPorts): (request: SpawnRequest) => Promise<Spawned> {
  const { views, execute } = ports;

  return async (request) => {
    const backend = chooseBackend(ports, request);
    const choice = chooseRuntime(ports, backend, request);
    checkRuntime(ports.runtimes, backend, choice.runtime);
    // A pane that the person started is where it is.
    const asked =
      request.adopted === undefined
        ? ports.checkProject(request.project ?? projectOf(views, request.by))
        : null;
    const wantsTree = asked !== null && (request.worktree ?? backend.worktree) === true;
    const treeFor = wantsTree ? (request.id ?? ports.newId()) : undefined;
    const project =
      asked === null || treeFor === undefined ? asked : await workFolder(treeFor, asked, backend, request);
    const { by, name, team, instance, model, adopted } = request;
    const chosen = by === HUMAN_ID ? request.permissions : undefined;
    const watch = watchOutcomes(ports);
    try {
      const { id, name: given } = await execute("spawnAgent", {
        id: request.id ?? treeFor,
        by,
        name,
        team,
        project,
        model,
        backend: backend.name,
        runtime: choice.runtime,
        runtimeReason: choice.reason,
        chosen: choice.chosen,
        instance,
        permissions: chosen ?? backend.permissions,
        // A pane that the person started has whatever tools they gave it.
        tools: adopted === undefined ? (request.tools ?? backend.tools ?? ports.tools) : undefined,
        adopted,
      });
      if (request.message !== undefined) await firstMessage(id, request);
      const outcome = views.roster.byId(id)?.status === "starting" ? await watch.of(id) : watch.seen(id);
      // It may have been started in another way than was chosen first.
      const runtime = views.roster.byId(id)?.runtime ?? choice.runtime;
      if (outcome?.kind === "failed") {
        if (outcome.code === "AGENT_EXITED") ports.runtimeFailed(backend, runtime);
        throw failure(outcome, given);
      }
      if (outcome?.kind === "started") ports.runtimeStarted(backend, runtime);
      const { hint } = runtime === choice.runtime ? choice : chooseRuntime(ports, backend, request);
      const words = outcome?.kind === "waiting" ? { words: outcome.words } : {};
      return {
        id,
        name: given,
        project,
        state: outcome?.kind ?? stateOf(id),
        runtime,
        ...words,
        ...(hint === undefined ? {} : { hint }),
      };
    } catch (error) {
      if (treeFor !== undefined) await ports.worktrees.drop(treeFor);
      ports.refused.note(by, error);
      throw error;
    } finally {
      watch.end();
    }
  };

  /** The worktree's; one that is there already is where it is. */
  async function workFolder(agent: AgentId, project: string, backend: Backend, request: SpawnRequest) {
    const there = views.roster.byId(agent);
    if (there !== undefined) return there.project;
    const { by, task } = request;
    const name = nameFor(views, backend, request);
    return ports.checkProject(await ports.worktrees.make({ agent, by, name, project, task }));
  }

  /** Asked for again, it may have started long ago. */
  function stateOf(id: AgentId): Spawned["state"] {
    return views.roster.byId(id)?.status === "starting" ? "starting" : "started";
  }

  /** An agent without the work that it was spawned for is not wanted. */
  async function firstMessage(id: AgentId, { by, message = "", messageId }: SpawnRequest) {
    try {
      await execute("sendMessage", { from: by, to: { id }, content: message, id: messageId });
    } catch (error) {
      await execute("deregisterAgent", { agent: id, by: "operator" });
      throw error;
    }
  }
}

function chooseBackend({ backends, backendFor }: SpawnPorts, { backend, by }: SpawnRequest): Backend {
  const name = backend ?? backendFor(by);
  if (name !== undefined) return findBackend(backends, name);
  throw new HubError(
    "BACKEND_UNKNOWN",
    "Say which backend the agent is to run on: yours is not known, and default_backend is not set",
    { available: [...backends.keys()].sort() },
  );
}

/** What is asked for is never overridden. */
function chooseRuntime(
  ports: SpawnPorts,
  backend: Backend,
  { runtime, adopted }: SpawnRequest,
): RuntimeChoice {
  if (runtime !== undefined && adopted !== undefined) return { runtime, reason: "your pane" };
  try {
    return ports.chooseRuntime(backend, runtime);
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== "BACKEND_MISSING") throw error;
    throw new HubError("BACKEND_MISSING", error.message, error.details);
  }
}

function checkRuntime(runtimes: readonly RuntimeKind[], backend: Backend, runtime: RuntimeKind): void {
  if (!runtimes.includes(runtime)) {
    throw new HubError("RUNTIME_UNAVAILABLE", `This hub has no runtime "${runtime}"`, {
      available: runtimes,
    });
  }
  const { needs } = runtimeTraits[runtime];
  if (needs !== undefined && (backend[needs] === undefined || backend[needs].length === 0)) {
    throw new HubError(
      "RUNTIME_UNAVAILABLE",
      `The backend "${backend.name}" has no ACP form; choose another runtime, or set backends.${backend.name}.acp`,
      { available: runtimes.filter((kind) => runtimeTraits[kind].needs !== needs) },
    );
  }
}

/** What it will be called, unless somebody takes the name meanwhile. */
function nameFor(views: TightViews, backend: Backend, { by, name, instance, team }: SpawnRequest): string {
  const wanted = paneTarget({ name: name ?? toName(backend.name) ?? "agent", instance });
  checkAgentName(wanted);
  return firstFreeName(wanted, (one) => views.roster.isTaken(one, team ?? teamOf(views, by)));
}

function projectOf(views: TightViews, by: AgentId): string {
  const project = views.roster.byId(by)?.project;
  if (typeof project === "string") return project;
  throw new HubError("INVALID_INPUT", "Say in which project the agent is to work: yours is not known");
}
