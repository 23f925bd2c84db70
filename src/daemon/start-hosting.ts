import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HuddlePaths } from "../client/paths.js";
import { createAdoptAttached } from "../delivery/adopt-attached.js";
import { checkProject } from "../delivery/check-project.js";
import { usualBackend } from "../delivery/default-backend.js";
import { createHosting, type Hosting } from "../delivery/hosting.js";
import { beginFolders, listFolders } from "../delivery/list-folders.js";
import { createLiveTurns } from "../delivery/live/live-turns.js";
import { newMark } from "../delivery/new-mark.js";
import { createRefusedSpawns } from "../delivery/refused-spawns.js";
import { createSpawn } from "../delivery/spawn.js";
import { createStopAgents } from "../delivery/stop-agents.js";
import { createTaskStarter } from "../delivery/task-starter.js";
import { systemTimers } from "../delivery/timers.js";
import { createWorktrees } from "../delivery/worktrees/worktrees.js";
import type { deciders } from "../hub/deciders.js";
import type { Obligations } from "../hub/rules/obligations.js";
import type { Journal } from "../journal/journal.js";
import type { AgentId } from "../model/agent.js";
import { systemClock } from "../model/clock.js";
import { runtimeKinds } from "../model/hosting.js";
import { SETUP_CHECK } from "../model/permission.js";
import { isOnScreen } from "../model/runtime-traits.js";
import { newUuid7 } from "../model/uuid7.js";
import type { Backend } from "../runtime/backend.js";
import { buildBackends } from "../runtime/backends/build-backends.js";
import { createChooseRuntime } from "../runtime/backends/choose-runtime.js";
import { findBackend, knownBackend } from "../runtime/backends/find-backend.js";
import { createKnownRuntimes } from "../runtime/backends/known-runtimes.js";
import { buildEnvironment, hostedMarker } from "../runtime/process/environment.js";
import { findCommand } from "../runtime/process/find-command.js";
import { sweepHub } from "../runtime/process/sweep.js";
import { cliOfBackend } from "../runtime/tmux/cli-of.js";
import { removeSocket } from "../runtime/tmux/remove-socket.js";
import { showScreen } from "../runtime/tmux/show-screen.js";
import type { HostingPort } from "../surface/ports.js";
import type { TightViews } from "../views/tight.js";
import { createAdopt } from "./adopt.js";
import { NO_BACKEND } from "./config-backends.js";
import type { HubConfig } from "./config-schema.js";
import { hubMark } from "./hub-mark.js";
import { createListPanes } from "./list-panes.js";
import { createRuntimes } from "./runtimes.js";
import { startChecks } from "./start-checks.js";
import { createSurvey } from "./survey-backends.js";

/** The pauses after failures in a row; after the fourth failure an agent is given up. */
const BACKOFF_MS = [1000, 5000, 30_000];
/** Tries in a row after a usage limit are so many times the first pause apart. */
const LIMIT_PAUSES = [1, 2, 4, 6];
/** Tools answer within ten seconds; what has not started by then goes on starting. */
const PATIENCE_MS = 8000;
/** Agents, the newest first, whose projects are looked at. */
const LOOKED_AT = 500;

type StartHosting = {
  config: HubConfig;
  paths: HuddlePaths;
  journal: Journal<typeof deciders, TightViews>;
  obligations: Obligations;
  url: () => string;
  /** Starts a turn in the session of an agent that a person started, if it waits for that. */
  rouse: (agent: AgentId) => boolean;
  onError: (error: unknown) => void;
};

type HostedAgents = { port: HostingPort; begin(): Promise<void>; end: Hosting["end"] };

/** Puts together what runs agents: runtimes, backends, drivers. */
export function startHosting({
  config,
  paths,
  journal,
  obligations,
  url,
  rouse,
  onError,
}: StartHosting): HostedAgents {
  const { views, execute, onApplied, onCommitted } = journal;
  const hub = hubMark(paths.data);
  const backends = buildBackends(config.backends);
  const socket = tmuxSocket(hub);
  const runtimes = createRuntimes(config, socket);
  const roots = config.allowed_roots.map(expandHome);
  const checkAllowed = (project: string) => checkProject(project, roots);
  const shared = { views, execute, onCommitted, after: systemTimers, checkProject: checkAllowed };
  const hasTmux = findCommand("tmux", { path: process.env["PATH"] ?? "", cwd: "/" }) !== undefined;
  const environment = (backend: Backend) => buildEnvironment(process.env, backend, hostedMarker(hub, ""));
  const known = createKnownRuntimes(paths.runtimes, onError);
  const choice = createChooseRuntime({
    environment,
    hasScreen: (backend) => hasTmux && cliOfBackend(backend) !== undefined,
    known,
  });
  const live = createLiveTurns({ onCommitted, wall: systemClock.wall, now: journal.now });
  const hosting = createHosting({
    ...shared,
    onApplied,
    now: journal.now,
    wall: systemClock.wall,
    newId: newUuid7,
    runtimes,
    backends,
    otherRuntime: choice.failed,
    limits: {
      unloadAfterMs: config.hosting.unload_after,
      takenWithinMs: config.hosting.taken_within,
      cancelWithinMs: config.hosting.cancel_within,
      shutdownWithinMs: config.hosting.shutdown_within,
      stalledAfterMs: config.hosting.stalled_after,
      readyWithinMs: config.tmux.ready_timeout_secs * 1000,
      reofferAfterMs: config.inbox.reoffer_after,
      backoffMs: BACKOFF_MS,
      limitMarginMs: config.hosting.limit_margin,
      limitPauseMs: LIMIT_PAUSES.map((times) => times * config.hosting.limit_pause),
    },
    prompts: { style: config.envelope, rosterInPrompt: config.roster_in_prompt, newMark, obligations },
    folder: join(paths.data, "agents"),
    url,
    bridge: [process.execPath, fileURLToPath(new URL("../mcp-bridge.cjs", import.meta.url))],
    environment: (backend, agent) => buildEnvironment(process.env, backend, hostedMarker(hub, agent)),
    rouse,
    live,
    onError,
  });
  const preset = config.default_backend === NO_BACKEND ? undefined : config.default_backend;
  const backendFor = (by: AgentId) =>
    usualBackend(backends, { client: views.roster.byId(by)?.backend ?? null, preset })?.name;
  const {
    survey,
    missing,
    end: endSurvey,
  } = createSurvey({
    views,
    backends,
    environment,
    choice,
    known,
    tools: config.tools,
    preset,
  });
  const refused = createRefusedSpawns({ ...shared, onError });
  const worktrees = createWorktrees({
    ...shared,
    processGone: async (agent) => {
      await hosting.driver(agent)?.reaches("gone", "dormant");
    },
    copy: config.worktree.copy,
    setup: {
      argv: config.worktree.setup,
      withinMs: config.worktree.setup_within,
      // Marked by the worktree, not by an agent: there is none yet.
      environment: ({ name }) =>
        buildEnvironment(process.env, { env: {}, passEnv: [] }, hostedMarker(hub, name)),
    },
    onError,
  });
  const spawn = createSpawn({
    ...shared,
    worktrees,
    newId: newUuid7,
    backends,
    backendFor,
    runtimes: runtimeKinds,
    chooseRuntime: choice.choose,
    runtimeFailed: choice.failed,
    runtimeStarted: choice.started,
    tools: config.tools,
    patienceMs: PATIENCE_MS,
    refused,
  });
  const tasks = createTaskStarter({ views, execute, onCommitted, spawn, onError });
  const { folderOf, finish } = worktrees;
  const checks = startChecks({
    config,
    hub,
    views,
    execute,
    onCommitted,
    after: systemTimers,
    folderOf,
    finish,
    onError,
  });
  const adoptAttached = createAdoptAttached({ ...shared, backends, patienceMs: PATIENCE_MS });
  const owners = { views, hub, data: paths.data };
  const stops = createStopAgents({ ...shared, driver: hosting.driver });
  return {
    port: {
      checkProject: checkAllowed,
      backendFor,
      knownBackend: (name) => knownBackend(backends, name)?.name,
      checkBackend: (name) => findBackend(backends, name).name,
      backends: survey,
      missingBackends: missing,
      folders: (path) =>
        path === undefined
          ? beginFolders(
              roots,
              views.roster.newest(LOOKED_AT).map(({ project }) => project),
            )
          : listFolders(expandHome(path), roots),
      usesWorktree: (name) => findBackend(backends, name).worktree === true,
      worktrees: worktrees.desk,
      checks: {
        ...config.checks,
        ...(config.worktree.setup.length === 0 ? {} : { [SETUP_CHECK]: config.worktree.setup }),
      },
      checkSchema: checks.checkSchema,
      spawn,
      refusedSpawn: refused.note,
      startedAt: hosting.startedAt,
      recheck: async (agent) => hosting.driver(agent)?.recheck(),
      live,
      screenOf: async (agent) => showScreen(hosting.driver(agent)?.tmux()),
      tmuxOf: (agent) => hosting.driver(agent)?.tmux(),
      adopt: createAdopt({ ...owners, spawn, adoptAttached }),
      panes: createListPanes(owners),
      shutdown: stops.shutdown,
      kill: stops.kill,
    },
    async begin() {
      // What an earlier life of this hub left behind; what is on a screen outlives it on purpose.
      await sweepHub(hub, (agent) => isOnScreen(views.roster.byId(agent)));
      await hosting.begin();
      worktrees.begin();
      tasks.begin();
      checks.begin();
    },
    async end(...how) {
      endSurvey();
      tasks.end();
      await checks.end();
      await hosting.end(...how);
      live.close();
      await worktrees.end();
      await removeSocket(socket).catch(onError);
    },
  };
}

/** The usual home's panes are found by `tmux -L huddle`. */
function tmuxSocket(hub: string): string {
  return process.env["HUDDLE_HOME"] === undefined ? "huddle" : `huddle-${hub}`;
}

function expandHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}
