import { parseJson } from "../../model/parse-json.js";
import { readLines } from "../process/read-lines.js";
import type { AgentProcess } from "../process/spawn-agent.js";
import { createTextTail } from "../process/text-tail.js";
import type { AgentHost, ExitReport, TurnEnd, TurnListener } from "../runtime.js";
import { createAsks } from "./answer-asks.js";
import type { HeadlessForm, Talk, TurnEvent, TurnReader } from "./headless-form.js";

/*
 * One process, one turn: the prompt is written to its input, its lines are read, and it ends. One that can be talked to has
 * its input open until its result is there. Its result is what it printed before it ended. One that failed without a result died; one that ended well without a result and without a word of
 * its own did nothing, whatever it says.
 */

export type HeadlessTurn = {
  /** Ends it with all that it began, soon: the next turn waits for that. Without a result by then its end is `cancelled`. */
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
/** A model that tries and tries is told of that often. */
const refusedMost = 20;
/** How long a CLI may take to end after it printed its result. */
const lingerMs = 10_000;
/** How long an interrupted one may take to write down what it has. */
const cancelMs = 2000;
/** How long one that was told to end its turn may take for that, before its process is ended. */
const interruptMs = 1000;

/** What goes in, and how what comes out is read. */
export type TurnForm =
  | { prompt: string; read: TurnReader; readRefusals?: HeadlessForm["readRefusals"] }
  | { talk: Talk };

export function runTurn(
  agentProcess: AgentProcess,
  form: TurnForm,
  host: Pick<AgentHost, "session" | "output" | "permission">,
  listener: TurnListener,
): HeadlessTurn {
  const read = "talk" in form ? form.talk.read : form.read;
  const text = createTextTail(textLimit);
  let stage: "asked" | "taken" | "responding" = "asked";
  let result: Result | undefined;
  let cancelled = false;
  let kept = false;
  const refused = new Set<string>();
  let linger: NodeJS.Timeout | undefined;
  const asks = createAsks(host, send);

  function send(line: unknown): void {
    if (agentProcess.stdin.writable) agentProcess.stdin.write(`${JSON.stringify(line)}\n`);
  }

  function taken(): void {
    if (stage !== "asked") return;
    stage = "taken";
    listener.taken("process_started");
  }

  function responds(): void {
    taken();
    if (stage === "responding") return;
    stage = "responding";
    listener.responding();
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
        responds();
        if (event.part.kind === "text") text.add(event.part.text);
        host.output(event.part);
        return;
      case "send":
        send(event.line);
        return;
      case "ask":
        responds();
        asks.ask(event.ask);
        return;
      case "withdrawn":
        asks.withdraw(event.ask);
        return;
      case "refused":
        refused.add(event.what);
        return;
      case "end":
        result ??= event;
        asks.close();
        if ("talk" in form) agentProcess.stdin.end();
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

  if ("talk" in form) {
    const lines = form.talk.opening.map((line) => `${JSON.stringify(line)}\n`).join("");
    agentProcess.stdin.write(lines, () => taken());
  } else agentProcess.stdin.end(form.prompt, () => taken());
  const reading = readAll().catch(async (error: unknown) => {
    agentProcess.note(`${error instanceof Error ? error.message : String(error)}\n`);
    await agentProcess.stop({ graceMs: 0 });
  });

  async function finish(): Promise<TurnOutcome> {
    await reading;
    asks.close();
    const report = await agentProcess.ended;
    clearTimeout(linger);
    const end = withRefused(endOf(report), report);
    return { report, end, responded: stage === "responding" };
  }

  function withRefused(end: TurnEnd | undefined, { stderr }: ExitReport): TurnEnd | undefined {
    const told = "talk" in form ? [] : (form.readRefusals?.(stderr) ?? []);
    const all = [...new Set([...refused, ...told])].slice(0, refusedMost);
    return end === undefined || all.length === 0 ? end : { ...end, refused: all };
  }

  function endOf({ code, stderr }: ExitReport): TurnEnd | undefined {
    if (cancelled) return { stop: "cancelled", text: text.read(), ...(kept ? { kept } : {}) };
    if (result === undefined && code !== 0) return undefined;
    if (result === undefined && stage !== "responding") {
      const last = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
      return { stop: "error", text: "", error: `it ended without a result${last === "" ? "" : `: ${last}`}` };
    }
    const { stop, usage, sessionUsage, error } = result ?? { stop: "end_turn" as const };
    return {
      stop,
      text: text.read(),
      ...(usage === undefined || Object.keys(usage).length === 0 ? {} : { usage }),
      ...(sessionUsage === undefined ? {} : { sessionUsage }),
      ...(error === undefined ? {} : { error }),
    };
  }

  function stop(killAfterMs?: number): void {
    // Its result is there: only its process is left to be ended.
    if (result === undefined) cancelled = true;
    asks.close();
    void agentProcess.stop({ graceMs: 0, ...(killAfterMs === undefined ? {} : { killAfterMs }) });
  }

  /** One that can be talked to ends its turn by itself, and keeps what it has of it. */
  function interrupt(): boolean {
    const line = "talk" in form && result === undefined ? form.talk.interrupt() : undefined;
    if (line === undefined) return false;
    cancelled = true;
    asks.close();
    send(line);
    linger ??= setTimeout(() => stop(cancelMs), interruptMs);
    return true;
  }

  return {
    cancel: () => {
      if (!interrupt()) stop(cancelMs);
    },
    end: () => stop(),
    done: finish(),
  };
}

/** The object that a line is; undefined of one that is not JSON. CLIs also print words. */
export function readJsonLine(line: string): unknown {
  const text = line.trim();
  return text.startsWith("{") ? parseJson(text) : undefined;
}
