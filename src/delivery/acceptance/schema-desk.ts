import { Worker } from "node:worker_threads";
import type { AgentId } from "../../model/agent.js";
import { formatDuration } from "../../model/duration.js";
import { HubError } from "../../model/errors.js";
import { createRotation } from "./rotation.js";

/*
 * Has answers and schemas looked at in a thread, one after the other, in turn of who asks for it. The thread is started with the first of them, ended when
 * there was none for a while, and ended when one takes too long: whatever is in a schema, the hub goes on.
 */

type Schema = Readonly<Record<string, unknown>>;
type Issue = { field: string; problem: string };
type Outcome = { id: number; invalid?: Issue[]; problems?: string[] };
type Answer = { text: string; isCut: boolean };
type Job = { schema: Schema; answer?: Answer; resolve: (outcome: Looked) => void };
type Looked = Omit<Outcome, "id"> | "late" | Error;

export type SchemaDesk = {
  /** Refuses what is no JSON Schema, and says where. */
  check(schema: Schema, by: AgentId): Promise<void>;
  /** What does not fit, in words; nothing when it fits. */
  misfits(schema: Schema, answer: Answer, by: AgentId): Promise<string[]>;
  end(): Promise<void>;
};

type SchemaDeskOptions = { withinMs?: number; idleMs?: number };

const stopping = new Error("the hub is stopping");
/** How long the thread may take until it can begin. */
const LOAD_WITHIN_MS = 60_000;
/** What the thread may use, in MiB. */
const MEMORY_MOST = 256;

export function createSchemaDesk({ withinMs = 10_000, idleMs = 10_000 }: SchemaDeskOptions = {}): SchemaDesk {
  const waiting = createRotation<Job>();
  let worker: Worker | undefined;
  let current: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let count = 0;

  function look(by: AgentId, schema: Schema, answer?: Answer): Promise<Looked> {
    return new Promise((resolve) => {
      waiting.add(by, { schema, resolve, ...(answer === undefined ? {} : { answer }) });
      next();
    });
  }

  function next() {
    if (current !== undefined) return;
    clearTimeout(timer);
    current = waiting.next();
    if (current === undefined) {
      timer = setTimeout(() => void drop(), idleMs).unref();
      return;
    }
    const { schema, answer } = current;
    timer = limit(worker === undefined ? LOAD_WITHIN_MS : withinMs);
    worker ??= start();
    worker.postMessage({ id: ++count, schema, answer });
  }

  const limit = (ms: number) => setTimeout(() => settle("late"), ms);

  function settle(outcome: Looked) {
    const job = current;
    current = undefined;
    if (outcome === "late" || outcome instanceof Error) void drop();
    job?.resolve(outcome);
    next();
  }

  function start(): Worker {
    const started = new Worker(new URL("./schema-worker.js", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MOST },
      env: {},
    });
    started.unref();
    started.on("message", ({ id, ...outcome }: Outcome) => {
      if (started !== worker || current === undefined) return;
      if (id === count) return settle(outcome);
      clearTimeout(timer);
      timer = limit(withinMs);
    });
    // Out of memory, say.
    started.on("error", (error: Error) => {
      if (started === worker) settle(error);
    });
    return started;
  }

  function drop(): Promise<unknown> {
    clearTimeout(timer);
    const dropped = worker;
    worker = undefined;
    return dropped?.terminate() ?? Promise.resolve();
  }

  return {
    async check(schema, by) {
      const outcome = await look(by, schema);
      if (outcome === "late" || outcome instanceof Error)
        throw refusal([{ field: "", problem: tooMuch(outcome) }]);
      if (outcome.invalid !== undefined) throw refusal(outcome.invalid);
    },
    async misfits(schema, answer, by) {
      const outcome = await look(by, schema, answer);
      if (outcome === "late" || outcome instanceof Error) return [tooMuch(outcome)];
      if (outcome.invalid !== undefined)
        return outcome.invalid.map(
          ({ field, problem }) => `the schema itself is invalid: ${field} ${problem}`,
        );
      return outcome.problems ?? [];
    },
    async end() {
      for (let job = waiting.next(); job !== undefined; job = waiting.next()) job.resolve(stopping);
      current?.resolve(stopping);
      current = undefined;
      await drop();
    },
  };

  function tooMuch(outcome: "late" | Error): string {
    return outcome === "late"
      ? `it could not be looked at within ${formatDuration(withinMs)}`
      : `it could not be looked at: ${outcome.message}`;
  }
}

function refusal(issues: readonly Issue[]): HubError {
  const named = issues.map(({ field, problem }) => ({ field: `output_schema${field}`, problem }));
  const [first] = named;
  return new HubError(
    "INVALID_INPUT",
    `${first?.field ?? "output_schema"}: ${first?.problem ?? "is no JSON Schema"}`,
    {
      issues: named,
    },
  );
}
