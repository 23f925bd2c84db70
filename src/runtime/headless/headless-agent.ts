import { randomUUID } from "node:crypto";
import { prepare } from "../backends/prepare-launch.js";
import { spawnAgent } from "../process/spawn-agent.js";
import {
  type AgentHost,
  type ExitReport,
  type HostedAgent,
  type Launch,
  type Prompt,
  RuntimeError,
  type TurnEnd,
  type TurnListener,
} from "../runtime.js";
import { vendorOf } from "../vendors/vendors.js";
import { withLimit } from "../vendors/with-limit.js";
import type { HeadlessForm } from "./headless-form.js";
import { type HeadlessTurn, runTurn, type TurnOutcome } from "./headless-turn.js";

/*
 * An agent of which a process runs only during a turn. It is
 *   idle      between turns: there is no process, and the session is with the vendor;
 *   turning   from `prompt` to the end of its process;
 *   stopped   after `stop`, and
 *   dead      once a process ended without a result. Nothing leads out of these two.
 */

type State =
  | { kind: "idle" }
  /** `turn` is there once the process is; what was asked before that is done then. */
  | { kind: "turning"; turn?: HeadlessTurn; pid?: number; cancelled: boolean; over: Promise<unknown> }
  | { kind: "stopped" }
  | { kind: "dead"; report: ExitReport };

type PromptText = Pick<Prompt, "text" | "anew">;

export function createHeadlessAgent(launch: Launch, host: AgentHost, form: HeadlessForm): HostedAgent {
  const { backend } = launch;
  let state: State = { kind: "idle" };
  let session = launch.resume;
  let resumed = session !== undefined;
  let told: string | undefined;
  let isNew = false;

  async function runProcess(text: string, listener: TurnListener): Promise<TurnOutcome> {
    const wiring = vendorOf(backend)?.wire(launch) ?? {};
    if (session === undefined && form.choosesSession === true) {
      isNew = true;
      keep(randomUUID());
    }
    const resumed = session === undefined ? {} : { session };
    const talk = form.createTalk?.(launch, { prompt: text, ...resumed });
    const asked = { wired: wiring.args ?? [], isNew, ...resumed };
    const prepared = await prepare(launch, [backend.command, ...form.args(launch, asked)], wiring);
    const agentProcess = await spawnAgent({ ...prepared, cwd: launch.cwd, install: backend.install });
    const given = talk === undefined ? { prompt: text, read: form.createReader() } : { talk };
    const hears = { session: keep, output: host.output, permission: host.permission };
    const turn = runTurn(agentProcess, given, hears, listener);
    if (state.kind === "turning") {
      state.turn = turn;
      state.pid = agentProcess.pid;
    }
    if (state.kind !== "turning") turn.end();
    else if (state.cancelled) turn.cancel();
    return turn.done;
  }

  function keep(id: string): void {
    session = id;
    if (told !== id) host.session(id);
    told = id;
  }

  async function run({ text, anew }: PromptText, listener: TurnListener): Promise<TurnEnd> {
    const outcome = await runProcess(text, listener);
    if (session !== undefined && told === undefined && isLost(outcome)) {
      // The vendor does not have it any more. The agent goes on without its history, and says so.
      session = undefined;
      resumed = false;
      return run({ text: anew ?? text }, listener);
    }
    if (outcome.end !== undefined && state.kind === "turning") return withLimit(outcome.end, backend);
    throw died(outcome.report);
  }

  function isLost({ end, report, responded }: TurnOutcome): boolean {
    if (responded || end?.stop === "cancelled") return false;
    return vendorOf(backend)?.lostSession.test(`${end?.error ?? ""}\n${report.stderr}`) ?? false;
  }

  function died({ code, signal, stderr }: ExitReport): RuntimeError {
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    return new RuntimeError("AGENT_EXITED", `${backend.name} ended ${how} during a turn.`, {
      code,
      signal,
      stderr,
    });
  }

  return {
    get resumed() {
      return resumed;
    },
    get pid() {
      return state.kind === "turning" ? state.pid : undefined;
    },
    keepsPrompts: form.keepsPrompts === true,
    async prompt(prompt, listener) {
      if (state.kind === "turning") {
        throw new RuntimeError("NOT_TAKEN", "The agent is in a turn; one prompt at a time.");
      }
      if (state.kind !== "idle") throw new RuntimeError("AGENT_EXITED", `${backend.name} has ended.`);
      const running = run(prompt, once(listener));
      const mine: State = { kind: "turning", cancelled: false, over: running.catch(() => {}) };
      state = mine;
      try {
        const end = await running;
        state = { kind: "idle" };
        return end;
      } catch (error) {
        if (state === mine) fail(error);
        throw error;
      }
    },
    async interrupt() {
      if (state.kind !== "turning") return;
      state.cancelled = true;
      state.turn?.cancel();
    },
    async stop() {
      const before = state;
      state = { kind: "stopped" };
      if (before.kind !== "turning") return;
      before.turn?.end();
      await before.over;
    },
  };

  function fail(error: unknown): void {
    const stderr = error instanceof Error ? error.message : String(error);
    const report =
      error instanceof RuntimeError && error.code === "AGENT_EXITED"
        ? reportOf(error)
        : { code: null, signal: null, stderr };
    state = { kind: "dead", report };
    host.exited(report);
  }
}

function reportOf({ details, message }: RuntimeError): ExitReport {
  const { code, signal, stderr } = details;
  return {
    code: typeof code === "number" ? code : null,
    signal: typeof signal === "string" ? signal : null,
    stderr: typeof stderr === "string" ? stderr : message,
  };
}

/** A turn that is run again for want of its session was taken once. */
function once(listener: TurnListener): TurnListener {
  let taken = false;
  return {
    taken(evidence) {
      if (!taken) listener.taken(evidence);
      taken = true;
    },
    responding: () => listener.responding(),
  };
}
