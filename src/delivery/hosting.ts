import type { ExecuteCommand } from "../hub/deciders.js";
import { hashToken, newToken } from "../hub/rules/credentials.js";
import type { Listen } from "../journal/signal.js";
import type { Agent, AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { EventOf, HubEvent } from "../model/events.js";
import { isBridged, type RuntimeKind } from "../model/hosting.js";
import { instructionsFor } from "../model/instructions.js";
import { isOnScreen } from "../model/runtime-traits.js";
import type { TurnId } from "../model/turn.js";
import type { Backend } from "../runtime/backend.js";
import { type Launch, type Runtime, RuntimeError, type UsageLimit } from "../runtime/runtime.js";
import { clients } from "../runtime/vendors/clients.js";
import type { TightViews } from "../views/tight.js";
import { agentFolder } from "./agent-folder.js";
import { startDispatcher } from "./dispatcher.js";
import { type AgentDriver, createDriver, type DriverLimits } from "./driver.js";
import type { LiveTurnKeeper } from "./live/live-turns.js";
import type { After } from "./timers.js";
import type { PromptOptions } from "./turn-runner.js";

/*
 * The supervisor: a driver for each agent that the hub runs, from `SpawnRequested` until it is gone, and what each is
 * started from.
 */

type HostingPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onApplied: Listen<readonly HubEvent[]>;
  onCommitted: Listen<readonly HubEvent[]>;
  now: () => number;
  wall: () => number;
  after: After;
  newId: () => string;
  runtimes: Partial<Record<RuntimeKind, Runtime>>;
  backends: ReadonlyMap<string, Backend>;
  /** It ended as it started: what it is run with instead, if anything else works. */
  otherRuntime: (
    backend: Backend,
    failed: RuntimeKind,
  ) => { runtime: RuntimeKind; reason: string } | undefined;
  /** The folder that is meant, if agents may work there. */
  checkProject: (project: string) => string;
  limits: DriverLimits;
  prompts: PromptOptions;
  /** Where the agents' folders are. */
  folder: string;
  /** Where the hub is reached, once it listens. */
  url: () => string;
  /** argv of the stdio bridge, without its identity. */
  bridge: readonly string[];
  environment: (backend: Backend, agent: AgentId) => Readonly<Record<string, string>>;
  /** Starts a turn in the session of an agent that a person started, if it waits for that. */
  rouse: (agent: AgentId) => boolean;
  live: Pick<LiveTurnKeeper, "prepare">;
  onError: (error: unknown) => void;
};

export type Hosting = {
  /** Takes up the agents that were there when the hub last ran. Called once the hub listens. */
  begin(): Promise<void>;
  driver(agent: AgentId): AgentDriver | undefined;
  /** Since when its process is there, in wall time. */
  startedAt(agent: AgentId): number | undefined;
  /** Ends every agent, so that the next start takes them up again: each after its turn, for a while, or at once. */
  end(how: "drain" | "now"): Promise<void>;
};

export function createHosting(ports: HostingPorts): Hosting {
  const { views, execute } = ports;
  const drivers = new Map<AgentId, AgentDriver>();
  const started = new Map<AgentId, number>();
  let ended = false;

  const stopDispatcher = startDispatcher({
    drivers,
    views,
    onApplied: ports.onApplied,
    onCommitted: ports.onCommitted,
    after: ports.after,
    reofferAfterMs: ports.limits.reofferAfterMs,
    rouse: ports.rouse,
  });
  const stopSpawns = ports.onCommitted((events) => {
    for (const event of events) {
      if (event.type === "SpawnRequested" && !ended) startNew(event.data);
      if (event.type === "PaneAdopted" && !ended) add(event.data.agent, { isNew: false })?.load();
      if (event.type === "AgentStarted") started.set(event.data.agent, event.at);
      if (isEnd(event)) started.delete(event.data.agent);
    }
  });

  function startNew({ agent, chosen }: EventOf<"SpawnRequested">["data"]) {
    // The driver of the way that did not work has let go of it.
    drivers.delete(agent);
    add(agent, { isNew: true, chosen })?.load();
  }

  /** The way that was chosen for it does not work here. */
  async function startOtherwise(id: AgentId, error: unknown): Promise<boolean> {
    const agent = views.roster.byId(id);
    if (!(error instanceof RuntimeError) || error.code !== "AGENT_EXITED" || !agent?.runtime) return false;
    const other = ports.otherRuntime(backendOf(agent, ports.backends), agent.runtime);
    if (other === undefined) return false;
    try {
      return await execute("runOtherwise", { agent: id, runtime: other.runtime, reason: other.reason });
    } catch (problem) {
      ports.onError(problem);
      return false;
    }
  }

  function add(
    id: AgentId,
    { isNew, chosen }: { isNew: boolean; chosen?: true | undefined },
  ): AgentDriver | undefined {
    const agent = views.roster.byId(id);
    if (agent === undefined || agent.goneAt !== null || agent.runtime === null || drivers.has(id)) return;
    const folder = agentFolder(ports.folder, id);
    const driver = createDriver({
      ...ports,
      agent: id,
      isNew,
      runtime: ports.runtimes[agent.runtime] ?? missing(agent.runtime),
      startOtherwise: async (error) => chosen === true && startOtherwise(id, error),
      prepare: () => prepare(id),
      cleanUp: folder.remove,
      onState(kind) {
        if (kind === "gone") drivers.delete(id);
      },
    });
    drivers.set(id, driver);
    return driver;
  }

  async function prepare(id: AgentId): Promise<Launch> {
    const agent = views.roster.byId(id);
    if (agent === undefined || agent.goneAt !== null) throw new HubError("AGENT_GONE", "The agent has left");
    const backend = backendOf(agent, ports.backends);
    // A pane that the person started is where it is, and nothing is started for it.
    const cwd = agent.adopted === null ? ports.checkProject(agent.project ?? "/") : "/";
    const folder = agentFolder(ports.folder, id);
    // What has a bridge of its own keeps the token that it came with.
    if (!isBridged(agent)) await identify(agent, folder);
    return {
      agent: {
        id,
        name: agent.name,
        team: agent.team,
        ...(agent.instance === null ? {} : { instance: agent.instance }),
      },
      backend,
      cwd,
      ...(agent.model === null ? {} : { model: agent.model }),
      bridge: [...ports.bridge, "--tools", agent.tools ?? "huddle", "--identity", folder.identityFile],
      ...(agent.adopted === null ? { instructions: instruct(agent, backend) } : {}),
      env: ports.environment(backend, id),
      folder: folder.path,
      ...(agent.session === null ? {} : { resume: agent.session }),
      ...(agent.adopted === null ? {} : { adopt: agent.adopted }),
    };
  }

  async function identify({ id, name }: Agent, folder: ReturnType<typeof agentFolder>) {
    const held = folder.token();
    // A pane that outlived the hub goes on with the token that it has.
    const keeps = held !== undefined && views.roster.byCredential(hashToken(held))?.id === id;
    const token = keeps ? held : newToken("agent");
    if (!keeps) await execute("issueCredential", { agent: id, hash: hashToken(token) });
    folder.write({ url: ports.url(), name, token });
  }

  return {
    async begin() {
      for (const { permission } of views.permissions.open()) {
        await execute("cancelPermissions", { agent: permission.agent });
      }
      for (const agent of views.roster.hosted()) {
        const driver = add(agent.id, { isNew: false });
        if (driver === undefined) continue;
        if (agent.status === "limited") driver.limited(limitOf(agent));
        const turn = views.turns.open(agent.id);
        // What is on a screen outlives the hub: there is looked what became of its turn. Any other turn was cut.
        // One that has a bridge of its own is there whether mail comes or not, and ends itself.
        if (isBridged(agent)) driver.load();
        else if (isOnScreen(agent) && agent.status !== "dormant") driver.load(agent.ending);
        else {
          if (turn !== undefined) await cut(agent.id, turn.id);
          if (agent.status !== "dormant" && agent.status !== "limited") await dormant(agent.id);
        }
        // It was told to end, and the hub ended first.
        if (agent.ending !== null) {
          if (driver.state() === "starting") continue;
          if (agent.ending === "killed") driver.kill();
          else driver.shutdown("gone", "shutdown");
          continue;
        }
        driver.look();
        lookAgain(driver);
      }
    },
    driver: (agent) => drivers.get(agent),
    startedAt: (agent) => started.get(agent),
    async end(how) {
      ended = true;
      stopSpawns();
      await Promise.all([...drivers.values()].map((driver) => endOne(driver, how)));
      stopDispatcher();
    },
  };

  async function endOne(driver: AgentDriver, how: "drain" | "now") {
    if (driver.state() !== "dormant") {
      driver.shutdown("dormant", "hub_stop");
      if (how === "now") driver.hurry();
      await driver.reaches("dormant", "gone");
    }
    // Mail that comes now is for the next start.
    drivers.delete(driver.agent);
  }

  function cut(agent: AgentId, turn: TurnId) {
    return execute("recordTurnEnded", { agent, turn, stop: "hub_restart", text: "" });
  }

  /** What it read by itself before the hub ended, and did not prove, comes again; nobody else would think of it. */
  function lookAgain(driver: AgentDriver) {
    const isOffered = views.inbox.open(driver.agent).some(({ state }) => state === "offered");
    if (isOffered) ports.after(ports.limits.reofferAfterMs + 1, driver.look);
  }

  function dormant(agent: AgentId) {
    return execute("recordPresence", { agent, status: "dormant", evidence: "the hub was restarted" });
  }
}

/** As its tools would tell it, had its CLI an ear for that. */
function instruct({ name, team, project, tools }: Agent, backend: Backend): string {
  const client = clients.find(({ vendor }) => vendor === backend.vendor);
  return instructionsFor(tools ?? "huddle", {
    self: { kind: "known", name, team, project },
    namesakes: client !== undefined && "namesakes" in client ? client.namesakes : undefined,
  });
}

function limitOf({ statusEvidence: words, limitedUntil: until }: Agent): UsageLimit {
  return until === null ? { words } : { words, until };
}

type End = "AgentStopped" | "AgentCrashed" | "AgentDeregistered" | "PaneLetGo";
const ends: readonly string[] = [
  "AgentStopped",
  "AgentCrashed",
  "AgentDeregistered",
  "PaneLetGo",
] satisfies End[];

function isEnd(event: HubEvent): event is EventOf<End> {
  return ends.includes(event.type);
}

function backendOf(agent: Agent, backends: ReadonlyMap<string, Backend>): Backend {
  const backend = backends.get(agent.backend ?? "");
  if (backend === undefined) {
    throw new RuntimeError(
      "BACKEND_MISSING",
      `No backend is named "${agent.backend}" any more; add it to huddle.yaml`,
    );
  }
  return agent.permissions === null ? backend : { ...backend, permissions: agent.permissions };
}

/** The hub was built or configured without it: whatever asks for it fails, and says so. */
function missing(kind: RuntimeKind): Runtime {
  return {
    kind,
    start: () => Promise.reject(new RuntimeError("BACKEND_FAILED", `This hub has no runtime "${kind}"`)),
  };
}
