import { randomUUID } from "node:crypto";
import { findCommand } from "../process/find-command.js";
import { listOpenFiles } from "../process/open-files.js";
import { runVariable } from "../process/shim.js";
import { type AgentHost, type HostedAgent, type Launch, type Runtime, RuntimeError } from "../runtime.js";
import { cliNames } from "../vendors/clients.js";
import type { SessionTraces } from "../vendors/vendor.js";
import { vendorOf, vendorOfCli } from "../vendors/vendors.js";
import { cliOfBackend } from "./cli-of.js";
import { endPane } from "./end-pane.js";
import { createHostedPane } from "./hosted-pane.js";
import { tuiCommand, writeLaunchScript } from "./launch-script.js";
import { defaultPaneTimes, type Pane, type PaneTimes, paneHistory, type SeenReady } from "./pane.js";
import { createPaneWatch, type PaneWatch } from "./pane-watch.js";
import type { ScreenRule } from "./screen-rule.js";
import { sessionName } from "./session-name.js";
import { createTmuxClient, type TmuxClient } from "./tmux-client.js";
import { createBridgeWait, forgetBridge } from "./wait-bridge.js";
import { waitSession } from "./wait-session.js";
import { waitStarted } from "./wait-started.js";

/*
 * Agents on the screens of their own CLIs: a tmux session each, on a socket of Huddle's own, which the person can attach
 * to. The sessions outlive the hub by design; a start finds the session of its agent and takes it up again.
 */

type TmuxRuntimeOptions = {
  /** As for `tmux -L`, or with a slash as for `-S`: one per hub. */
  socket: string;
  times?: PaneTimes;
  /** Of new panes. The person's terminal decides once one is attached. */
  size?: { width: number; height: number };
  /** How long an agent's first prompt may wait for Huddle's tools. */
  toolsWithinMs?: number;
};

type Server = {
  tmux: TmuxClient;
  watch: PaneWatch;
  times: PaneTimes;
  size: { width: number; height: number };
  toolsWithinMs: number;
};

export function createTmuxRuntime(options: TmuxRuntimeOptions): Runtime {
  const tmux = createTmuxClient({ socket: options.socket });
  const { times = defaultPaneTimes, size = { width: 140, height: 45 }, toolsWithinMs = 5000 } = options;
  const server = { tmux, watch: createPaneWatch(tmux), times, size, toolsWithinMs };
  return { kind: "tmux", start: (launch, host, signal) => startPane(server, launch, host, signal) };
}

async function startPane(
  server: Server,
  launch: Launch,
  host: AgentHost,
  signal?: AbortSignal,
): Promise<HostedAgent> {
  const rule = ruleOf(launch);
  const there = await findSession(server, launch);
  if (there !== undefined) {
    const pane = { ...server, id: there.id, pid: there.pid, hosted: true, rule };
    return hostPane(server, launch, pane, host, {
      session: there.session,
      run: there.run,
      resumed: true,
      replayed: await paneHistory(pane),
    });
  }
  return openPane(server, launch, host, signal).catch((error: unknown) => {
    if (!(error instanceof RuntimeError) || error.code !== "SESSION_NOT_FOUND") throw error;
    // Its vendor does not have it: claude keeps none that nobody wrote to. The agent begins without its history, and says so.
    const { resume: _, ...anew } = launch;
    return openPane(server, anew, host, signal);
  });
}

async function openPane(
  server: Server,
  launch: Launch,
  host: AgentHost,
  signal?: AbortSignal,
): Promise<HostedAgent> {
  const session = sessionName(launch.agent);
  const rule = ruleOf(launch);
  const run = randomUUID();
  checkProgram(launch);
  const command = await tuiCommand(rule.cli, launch);
  const env = { ...command.env, [runVariable]: run };
  const script = await writeLaunchScript(launch.folder, { argv: command.argv, env, cwd: launch.cwd });
  await forgetBridge(launch);
  const info = await server.tmux.newSession({
    name: session,
    argv: ["/bin/sh", script],
    owner: `${launch.agent.id} ${run}`,
    ...server.size,
  });
  const pane: Pane = { ...server, id: info.id, pid: info.pid, hosted: true, rule };
  host.screen?.({ session, pane: info.id, socket: server.tmux.socket ?? null });
  let wasReady: SeenReady | undefined;
  try {
    wasReady = await waitStarted(pane, launch, host, signal);
    await waitSession(pane, launch, tracesOf(pane, launch), signal);
  } catch (error) {
    await endPane(pane, { session, run, graceMs: 0 });
    throw error;
  }
  if (command.session !== undefined) host.session(command.session);
  return hostPane(server, launch, pane, host, {
    session,
    run,
    resumed: launch.resume !== undefined,
    wasReady,
    ...(rule.startsWithTools ? {} : { waitTools: createBridgeWait(launch, server.toolsWithinMs) }),
  });
}

function hostPane(
  { watch }: Server,
  launch: Launch,
  pane: Pane,
  host: AgentHost,
  made: {
    session: string;
    run: string | undefined;
    resumed: boolean;
    wasReady?: SeenReady | undefined;
    waitTools?: (signal: AbortSignal) => Promise<number>;
    replayed?: string;
  },
): HostedAgent {
  const { session, run, replayed, ...rest } = made;
  const find = vendorOf(launch.backend)?.findSession;
  const agent = createHostedPane({
    pane,
    session,
    host,
    watch,
    ...rest,
    ...(find === undefined ? {} : { findSession: () => find(tracesOf(pane, launch)) }),
    end: ({ graceMs }) => endPane(pane, { session, run, graceMs }),
  });
  return replayed === undefined ? agent : { ...agent, replayed };
}

/** The pane's first process leads a group, in which its CLI is and no other pane's. */
function tracesOf({ pid }: Pane, { folder }: Launch): SessionTraces {
  return { openFiles: () => listOpenFiles(pid), folder };
}

function ruleOf({ backend }: Launch): ScreenRule {
  const cli = cliOfBackend(backend);
  if (cli !== undefined) return vendorOfCli(cli).screen;
  throw new RuntimeError(
    "BACKEND_FAILED",
    `The screen of ${backend.name} is not known: a pane can hold ${cliNames.join(", ")}. Set its vendor, or choose another runtime.`,
    { backend: backend.name, known: cliNames },
  );
}

function checkProgram({ backend, env, cwd }: Launch): void {
  if (findCommand(backend.command, { path: env["PATH"] ?? "", cwd }) !== undefined) return;
  throw new RuntimeError("BACKEND_MISSING", `"${backend.command}" is not installed. ${backend.install}`, {
    command: backend.command,
  });
}

/** The session of this agent that an earlier hub left running. One whose CLI ended is cleared away. */
async function findSession({ tmux }: Server, { agent }: Launch) {
  const sessions = (await tmux.listOwnedPanes()).map((one) => ({ ...one, words: one.owner.split(" ") }));
  // An agent can be renamed while it runs.
  const found =
    sessions.find(({ words }) => words[0] === agent.id) ??
    sessions.find(({ pane }) => pane.session === sessionName(agent));
  if (found === undefined) return undefined;
  const { pane, words } = found;
  const { session } = pane;
  const [owner, run] = words;
  if (owner !== agent.id) {
    const kill = `tmux ${tmux.socket?.includes("/") ? "-S" : "-L"} ${tmux.socket} kill-session -t ${session}`;
    throw new RuntimeError(
      "TARGET_INVALID",
      `A tmux session ${session} is there already, and not of this agent: end it with "${kill}", or choose another name`,
      { session, owner },
    );
  }
  if (!pane.dead) return { session, id: pane.id, pid: pane.pid, run };
  await tmux.killSession(session);
  return undefined;
}
