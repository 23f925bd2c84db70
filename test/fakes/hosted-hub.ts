import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { checkProject } from "../../src/delivery/check-project.js";
import { usualBackend } from "../../src/delivery/default-backend.js";
import type { StateKind } from "../../src/delivery/driver-model.js";
import { createHosting, type Hosting } from "../../src/delivery/hosting.js";
import { createLiveTurns } from "../../src/delivery/live/live-turns.js";
import { createRefusedSpawns } from "../../src/delivery/refused-spawns.js";
import { createSpawn } from "../../src/delivery/spawn.js";
import { createStopAgents } from "../../src/delivery/stop-agents.js";
import { createTaskStarter } from "../../src/delivery/task-starter.js";
import { createWorktrees } from "../../src/delivery/worktrees/worktrees.js";
import type { InboxReader } from "../../src/hub/inbox-port.js";
import { createObligations } from "../../src/hub/rules/obligations.js";
import type { AgentId } from "../../src/model/agent.js";
import type { EventOf, EventType, HubEvent } from "../../src/model/events.js";
import type { Spawned, SpawnRequest } from "../../src/model/spawn-request.js";
import type { StopAgents } from "../../src/model/stop-agents.js";
import type { ToolsetName } from "../../src/model/toolset.js";
import { newUuid7 } from "../../src/model/uuid7.js";
import type { Backend } from "../../src/runtime/backend.js";
import { PATIENCE_MS } from "./patience.js";
import { createScriptedRuntime, type ScriptedRuntime } from "./scripted-runtime.js";
import { tempFolder } from "./temp-folder.js";
import { openTestHub, type TestHub } from "./test-hub.js";
import type { TestJournalOptions } from "./test-journal.js";
import { createTestTimers, type TestTimers } from "./test-timers.js";

/** A hub without its surfaces that hosts agents of a scripted runtime. */
export type HostedHub = TestHub & {
  inboxReader: InboxReader;
  runtime: ScriptedRuntime;
  timers: TestTimers;
  hosting: Hosting;
  stops: StopAgents;
  worktrees: ReturnType<typeof createWorktrees>;
  /** Besides, worktrees whose agents have left are looked after. */
  settled(): Promise<void>;
  folder: string;
  project: string;
  errors: unknown[];
  spawn(request?: Partial<SpawnRequest>): Promise<Spawned>;
  state(agent: AgentId): StateKind | undefined;
  status(agent: AgentId): string | undefined;
  /** Waits until it holds; what happens meanwhile is decided in its own order. */
  until(holds: () => boolean, what?: string): Promise<void>;
  happened<T extends EventType>(type: T): EventOf<T>[];
  /** The steps of a message's one delivery, as words. */
  ladder(id: string): string[];
  /** Another hub on the same journal, as after a crash. */
  crash(): Promise<HostedHub>;
};

const scriptedBackend: Backend = {
  name: "scripted",
  command: "scripted",
  acp: ["scripted", "--acp"],
  args: [],
  env: {},
  passEnv: [],
  runtime: "acp",
  permissions: "ask",
  install: "It comes with the tests.",
};

export type HostedHubOptions = TestJournalOptions & {
  runtime?: ScriptedRuntime;
  /** What an agent is run with that ended as it started. */
  otherwise?: ScriptedRuntime;
  folder?: string;
  rosterInPrompt?: boolean;
  /** Where agents may work; everywhere by default. */
  allowedRoots?: readonly string[];
  backend?: Partial<Backend>;
  /** Files that new worktrees get. */
  copy?: readonly string[];
  /** What agents get unless their backend, or whoever spawns them, says otherwise. */
  tools?: ToolsetName;
};

export async function openHostedHub(options: HostedHubOptions = {}): Promise<HostedHub> {
  return host(openTestHub(options), options);
}

async function host(hub: TestHub, options: HostedHubOptions): Promise<HostedHub> {
  const runtime = options.runtime ?? createScriptedRuntime();
  const timers = createTestTimers();
  const folder = options.folder ?? join(tempFolder(), "agents");
  const project = tempFolder();
  const errors: unknown[] = [];
  const backend = { ...scriptedBackend, runtime: runtime.kind, ...options.backend };
  const backends = new Map([["scripted", backend]]);
  const { views, execute, onApplied, onCommitted } = hub;
  const seen: HubEvent[] = [];
  onCommitted((events) => void seen.push(...events));
  const inbox = hub.reader();
  const allowed = (folder: string) => checkProject(folder, options.allowedRoots ?? ["/"]);
  // Questions are told by a lazy view, of which these hubs have none.
  const questions = { find: () => [], caughtUp: async () => {} };
  const obligations = createObligations({ views, questions, now: hub.now, wall: hub.clock.wall });
  const live = createLiveTurns({ onCommitted, wall: hub.clock.wall, now: hub.now });
  const hosting = createHosting({
    views,
    execute,
    onApplied,
    onCommitted,
    now: hub.now,
    wall: hub.clock.wall,
    after: timers.after,
    newId: newUuid7,
    runtimes: {
      [runtime.kind]: runtime,
      ...(options.otherwise === undefined ? {} : { [options.otherwise.kind]: options.otherwise }),
    },
    backends,
    otherRuntime: () =>
      options.otherwise && { runtime: options.otherwise.kind, reason: "scripted ended as it started" },
    checkProject: allowed,
    limits: {
      unloadAfterMs: 15 * 60_000,
      takenWithinMs: 30_000,
      cancelWithinMs: 5000,
      shutdownWithinMs: 30_000,
      stalledAfterMs: 10 * 60_000,
      readyWithinMs: 30_000,
      reofferAfterMs: 60_000,
      backoffMs: [1000, 5000, 30_000],
      limitMarginMs: 30_000,
      limitPauseMs: [600_000, 1_200_000],
    },
    prompts: {
      style: "from-agent",
      rosterInPrompt: options.rosterInPrompt ?? false,
      newMark: () => "mark",
      obligations,
    },
    folder,
    url: () => "http://127.0.0.1:9",
    bridge: ["node", "mcp-bridge.cjs"],
    environment: (_, agent) => ({ HUDDLE_HOSTED: `test:${agent}` }),
    rouse: inbox.rouse,
    live,
    onError: (error) => errors.push(error),
  });
  await hosting.begin();
  const worktrees = createWorktrees({
    views,
    execute,
    onCommitted,
    checkProject: allowed,
    processGone: async (agent) => {
      await hosting.driver(agent)?.reaches("gone", "dormant");
    },
    copy: options.copy ?? [],
    setup: { argv: [], withinMs: 60_000, environment: () => ({}) },
    onError: (error) => errors.push(error),
  });
  const spawn = createSpawn({
    worktrees,
    newId: newUuid7,
    views,
    execute,
    onCommitted,
    after: timers.after,
    backends,
    backendFor: (by) =>
      usualBackend(backends, { client: views.roster.byId(by)?.backend ?? null, preset: undefined })?.name,
    tools: options.tools ?? "huddle",
    runtimes: [runtime.kind],
    chooseRuntime: (backend, asked) =>
      asked === undefined
        ? { runtime: backend.runtime, reason: "preferred", chosen: true }
        : { runtime: asked, reason: "asked for" },
    runtimeFailed: () => {},
    runtimeStarted: () => {},
    checkProject: allowed,
    patienceMs: 5000,
    refused: createRefusedSpawns({ execute, after: timers.after, onError: (error) => errors.push(error) }),
  });
  const tasks = createTaskStarter({
    views,
    execute,
    onCommitted,
    spawn,
    onError: (error) => errors.push(error),
  });
  worktrees.begin();
  tasks.begin();
  const stops = createStopAgents({
    execute,
    onCommitted,
    after: timers.after,
    driver: hosting.driver,
  });

  async function until(holds: () => boolean, what = String(holds)) {
    const deadline = performance.now() + PATIENCE_MS;
    // What is in this process comes within a few turns of it; files and programs take their time.
    for (let turn = 0; !holds(); turn++) {
      if (performance.now() > deadline) throw new Error(`this never came to be: ${what}`);
      await (turn < 2000 ? nextTurn() : sleep(5));
    }
  }
  let crashed = false;
  onTestFinished(() => (crashed ? undefined : hosting.end("now")));

  return {
    ...hub,
    inboxReader: inbox,
    runtime,
    timers,
    hosting,
    stops,
    worktrees,
    async settled() {
      await hub.settled();
      await worktrees.settled();
    },
    folder,
    project,
    errors,
    spawn: (request = {}) => spawn({ by: "human", backend: "scripted", project, ...request }),
    state: (agent) => hosting.driver(agent)?.state(),
    status: (agent) => views.roster.byId(agent)?.status,
    until,
    happened: <T extends EventType>(type: T) =>
      seen.filter((event): event is EventOf<T> => (event.type as string) === type),
    ladder: (id) => ["accepted", ...hub.receipt(id).steps.map(({ state }) => state)],
    async crash() {
      crashed = true;
      await hub.close();
      const { file, clock } = hub;
      return openHostedHub({ ...options, runtime, folder, file, clock });
    },
  };
}
