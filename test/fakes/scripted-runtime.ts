import type {
  AgentHost,
  HostedAgent,
  Launch,
  PermissionAnswer,
  Prompt,
  Runtime,
  TurnEnd,
  TurnListener,
} from "../../src/runtime/runtime.js";
import { RuntimeError } from "../../src/runtime/runtime.js";

/*
 * A runtime inside the test's own process, whose agents do what the test says, when it says it. What the real adapters
 * do with real processes is tested with them; here the driver is.
 */

type ScriptedTurn = {
  prompt: Prompt;
  listener: TurnListener;
  take(): void;
  respond(): void;
  end(end?: Partial<TurnEnd>): void;
  refuse(error: RuntimeError): void;
};

type ScriptedAgent = {
  launch: Launch;
  host: AgentHost;
  turns: ScriptedTurn[];
  interrupts: number;
  stopped: { graceMs: number } | undefined;
  /** Ends by itself. */
  exit(code?: number): void;
  askPermission(act?: string): Promise<PermissionAnswer>;
};

export type ScriptedRuntime = Runtime & {
  /** Every agent that was started, in order. */
  agents: ScriptedAgent[];
  /** The newest. */
  agent(): ScriptedAgent;
  /** The newest turn of the newest agent. */
  turn(): ScriptedTurn;
  /** How the next starts end: an error, or waiting until `release`. */
  failing: RuntimeError[];
  holdStarts: boolean;
  release(): void;
  /** How a new agent behaves by itself. */
  obey: "by hand" | "take" | "answer";
  /** Whether a cancel ends the turn. */
  heeds: boolean;
  replays: string | undefined;
  /** What stands in its input box when it is taken up again. */
  holds: ((tag: string) => string) | undefined;
  resumes: boolean;
  /** Whether its screen shows what became of a turn that nobody saw the end of. */
  regains: boolean;
};

export function createScriptedRuntime(kind: Runtime["kind"] = "acp"): ScriptedRuntime {
  let held: (() => void)[] = [];
  const runtime: ScriptedRuntime = {
    kind,
    agents: [],
    failing: [],
    holdStarts: false,
    obey: "by hand",
    heeds: true,
    replays: undefined,
    holds: undefined,
    resumes: true,
    regains: false,
    release() {
      const waiting = held;
      held = [];
      runtime.holdStarts = false;
      for (const go of waiting) go();
    },
    agent() {
      const newest = runtime.agents.at(-1);
      if (newest === undefined) throw new Error("no agent was started");
      return newest;
    },
    turn() {
      const newest = runtime.agent().turns.at(-1);
      if (newest === undefined) throw new Error("the agent was given no prompt");
      return newest;
    },
    async start(launch, host, signal) {
      if (runtime.holdStarts) {
        await new Promise<void>((resolve, reject) => {
          if (signal?.aborted === true) throw new Error("started after it was given up");
          held.push(resolve);
          signal?.addEventListener("abort", () => reject(new RuntimeError("BACKEND_FAILED", "given up")));
        });
      }
      const error = runtime.failing.shift();
      if (error !== undefined) throw error;
      return startAgent(runtime, launch, host);
    },
  };
  return runtime;
}

function startAgent(runtime: ScriptedRuntime, launch: Launch, host: AgentHost): HostedAgent {
  let open: { reject: (error: RuntimeError) => void; end: (end?: Partial<TurnEnd>) => void } | undefined;
  let unsent: string | undefined;
  const exited = () => new RuntimeError("AGENT_EXITED", "the agent ended");
  const asked = new AbortController();
  const agent: ScriptedAgent = {
    launch,
    host,
    turns: [],
    interrupts: 0,
    stopped: undefined,
    exit(code = 1) {
      open?.reject(exited());
      open = undefined;
      host.exited({ code, signal: null, stderr: "the script says exit" });
    },
    askPermission: (act = "execute") =>
      host.permission({
        tool: "shell",
        title: "rm -r build",
        act,
        details: { command: "rm -r build" },
        options: [
          { id: "yes", label: "Yes", grants: "once" },
          { id: "always", label: "Always", grants: "always" },
          { id: "no", label: "No", grants: "deny" },
        ],
        signal: asked.signal,
      }),
  };
  runtime.agents.push(agent);
  host.session(`session-of-${launch.agent.id}`);
  const give = (prompt: Prompt, listener: TurnListener) =>
    new Promise<TurnEnd>((resolve, reject) => {
      if (open !== undefined) throw new Error("a turn is open already");
      const end = (how: Partial<TurnEnd> = {}) => {
        open = undefined;
        resolve({ stop: "end_turn", text: "done", ...how });
      };
      open = { reject, end };
      const turn: ScriptedTurn = {
        prompt,
        listener,
        take: () => listener.taken("acp_prompt"),
        respond: () => listener.responding(),
        end,
        refuse(error) {
          open = undefined;
          reject(error);
        },
      };
      agent.turns.push(turn);
      if (runtime.obey === "by hand") return;
      turn.take();
      if (runtime.obey === "answer") {
        turn.respond();
        end();
      }
    });
  return {
    resumed: launch.resume !== undefined && runtime.resumes,
    pid: undefined,
    ...(launch.resume !== undefined && runtime.replays !== undefined ? { replayed: runtime.replays } : {}),
    prompt: give,
    unsent: () => unsent,
    async regain(tag) {
      unsent = runtime.holds?.(tag);
      return runtime.regains
        ? (listener) => give({ turn: "", text: "", line: tag, tag }, listener)
        : undefined;
    },
    async interrupt() {
      agent.interrupts++;
      if (runtime.heeds) open?.end({ stop: "cancelled", text: "" });
    },
    async stop(options) {
      agent.stopped = options;
      open?.reject(exited());
      open = undefined;
    },
  };
}
