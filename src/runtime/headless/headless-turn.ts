import { parseJson } from "../../model/parse-json.js";
import { readLines } from "../process/read-lines.js";
import type { AgentProcess } from "../process/spawn-agent.js";
import { createTextTail } from "../process/text-tail.js";
import type { AgentHost, ExitReport, TurnEnd, TurnListener } from "../runtime.js";
import type { TurnEvent, TurnReader } from "./headless-form.js";

/*
 * One process, one turn: the prompt is written to its input, its lines are read, and it ends. Its result is what it
 * printed before that. One that failed without a result died; one that ended well without a result and without a word of
 * its own did nothing, whatever it says.
 */

export type HeadlessTurn = {
  /** Ends it with all that it began, soon: the next turn waits for that. The turn's end is then `cancelled`. */
  cancel(): void;
  /** The same for an agent that is to end: it has as long after SIGTERM as every agent has. */
  end(): void;
  done: Promise<TurnOutcome>;
};

export type TurnOutcome = {
  report: ExitReport;
  /** Undefined when the process died. */
  end: TurnEnd | undefined;
  /** Whether it said anything of its own. */
  responded: boolean;
};

type Result = Extract<TurnEvent, { kind: "end" }>;

const textLimit = 1024 * 1024;
/** How long a CLI may take to end after it printed its result. */
const lingerMs = 10_000;
/** How long an interrupted one may take to write down what it has. */
const cancelMs = 2000;

export function runTurn(
  agentProcess: AgentProcess,
  prompt: string,
  read: TurnReader,
  host: Pick<AgentHost, "session" | "output">,
  listener: TurnListener,
): HeadlessTurn {
  const text = createTextTail(textLimit);
  let stage: "asked" | "taken" | "responding" = "asked";
  let result: Result | undefined;
  let cancelled = false;
  let kept = false;
  let linger: NodeJS.Timeout | undefined;

  function taken(): void {
    if (stage !== "asked") return;
    stage = "taken";
    listener.taken("process_started");
  }

  function take(event: TurnEvent): void {
    switch (event.kind) {
      case "session":
        host.session(event.id);
        return;
      case "kept":
        kept = true;
        return;
      case "output":
        taken();
        if (stage !== "responding") {
          stage = "responding";
          listener.responding();
        }
        if (event.part.kind === "text") text.add(event.part.text);
        host.output(event.part);
        return;
      case "end":
        result ??= event;
        linger ??= setTimeout(() => void agentProcess.stop({ graceMs: 0 }), lingerMs);
    }
  }

  async function readAll(): Promise<void> {
    for await (const line of readLines(agentProcess.stdout)) {
      const value = readJsonLine(line);
      if (value === undefined) agentProcess.note(`${line.slice(0, 500)}\n`);
      else for (const event of read(value)) take(event);
    }
  }

  agentProcess.stdin.end(prompt, () => taken());
  const reading = readAll().catch(async (error: unknown) => {
    agentProcess.note(`${error instanceof Error ? error.message : String(error)}\n`);
    await agentProcess.stop({ graceMs: 0 });
  });

  async function finish(): Promise<TurnOutcome> {
    await reading;
    const report = await agentProcess.ended;
    clearTimeout(linger);
    return { report, end: endOf(report), responded: stage === "responding" };
  }

  function endOf({ code, stderr }: ExitReport): TurnEnd | undefined {
    if (cancelled) return { stop: "cancelled", text: text.read(), ...(kept ? { kept } : {}) };
    if (result === undefined && code !== 0) return undefined;
    if (result === undefined && stage !== "responding") {
      const last = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
      return { stop: "error", text: "", error: `it ended without a result${last === "" ? "" : `: ${last}`}` };
    }
    const { stop, usage, error } = result ?? { stop: "end_turn" as const };
    return {
      stop,
      text: text.read(),
      ...(usage === undefined || Object.keys(usage).length === 0 ? {} : { usage }),
      ...(error === undefined ? {} : { error }),
    };
  }

  function stop(killAfterMs?: number): void {
    cancelled = true;
    void agentProcess.stop({ graceMs: 0, ...(killAfterMs === undefined ? {} : { killAfterMs }) });
  }

  return {
    cancel: () => stop(cancelMs),
    end: () => stop(),
    done: finish(),
  };
}

/** The object that a line is; undefined of one that is not JSON. CLIs also print words. */
export function readJsonLine(line: string): unknown {
  const text = line.trim();
  return text.startsWith("{") ? parseJson(text) : undefined;
}
