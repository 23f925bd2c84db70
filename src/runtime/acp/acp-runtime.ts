import { setTimeout as sleep } from "node:timers/promises";
import type { Backend } from "../backend.js";
import { prepareAcp } from "../backends/prepare-launch.js";
import { type AgentProcess, spawnAgent } from "../process/spawn-agent.js";
import { type HostedAgent, type Launch, type Runtime, RuntimeError } from "../runtime.js";

/** Agents that speak the Agent Client Protocol: one subprocess each, for as long as the agent is loaded. */

type AcpOptions = {
  /** Huddle's own, told to agents. */
  version: string;
  /** How long an agent may take until it can be given a prompt. */
  startTimeoutMs?: number;
};

export function createAcpRuntime({ version, startTimeoutMs = 60_000 }: AcpOptions): Runtime {
  return {
    kind: "acp",
    async start(launch, host, signal) {
      const prepared = await prepareAcp(launch, argvOf(launch));
      // With the first agent: a hub starts sooner without the protocol's library.
      const { runAcpAgent } = await import("./acp-agent.js");
      const agentProcess = await spawnAgent({
        argv: prepared.argv,
        cwd: launch.cwd,
        env: prepared.env,
        install: installOf(launch.backend),
      });
      const late = new AbortController();
      try {
        return await Promise.race([
          runAcpAgent(agentProcess, { launch, host, version, wiring: prepared }),
          timeOut(startTimeoutMs, launch, late.signal),
          givenUp(signal, launch),
        ]);
      } catch (error) {
        await agentProcess.stop({ graceMs: 0 });
        throw await withReport(error, agentProcess);
      } finally {
        late.abort();
      }
    },
  };
}

function argvOf({ backend }: Launch): readonly string[] {
  if (backend.acp === undefined || backend.acp.length === 0) {
    throw new RuntimeError(
      "BACKEND_FAILED",
      `The backend ${backend.name} has no ACP form: set backends.${backend.name}.acp, or another runtime for it.`,
    );
  }
  return backend.acp;
}

function givenUp(signal: AbortSignal | undefined, { backend }: Launch): Promise<HostedAgent> {
  return new Promise((_, reject) => {
    const giveUp = () =>
      reject(new RuntimeError("BACKEND_FAILED", `The start of ${backend.name} was given up.`));
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}

async function timeOut(ms: number, { backend }: Launch, signal: AbortSignal): Promise<HostedAgent> {
  await sleep(ms, undefined, { signal });
  throw new RuntimeError("START_TIMEOUT", `${backend.name} was not ready within ${ms / 1000} s.`);
}

/** What it wrote to standard error is usually why it did not start. */
async function withReport(error: unknown, agentProcess: AgentProcess): Promise<unknown> {
  if (!(error instanceof RuntimeError) || "stderr" in error.details) return error;
  const { stderr } = await agentProcess.ended;
  return new RuntimeError(error.code, error.message, { ...error.details, stderr });
}

function installOf({ install, acpInstall }: Backend): string {
  return acpInstall === undefined ? install : `Install it with: ${acpInstall}`;
}
