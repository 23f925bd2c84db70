import type { ExecuteCommand } from "../../hub/deciders.js";
import { verdictOf } from "../../hub/rules/verdict.js";
import type { Listen } from "../../journal/signal.js";
import type { HubEvent } from "../../model/events.js";
import {
  type CheckResult,
  isChecked,
  schemaCheck,
  type TaskId,
  type WorktreeResult,
} from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { TightViews } from "../../views/tight.js";
import { createStoreForSure } from "../store-for-sure.js";
import type { After } from "../timers.js";
import type { SchemaDesk } from "./schema-desk.js";

/*
 * Looks whether what agents answered to their tasks passes: the output schema first, then each check in its order. The first
 * that does not pass ends the attempt. Every result is journalled as it comes, so that after a restart of the hub only what was
 * being looked at is looked at again; what they amount to is decided by `judgeTask`.
 */

type TaskCheckerPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  schemas: SchemaDesk;
  /** Undefined when the task ended meanwhile. */
  runCheck: (task: Task, name: string, signal: AbortSignal) => Promise<CheckResult | undefined>;
  /** What is left to do when an answer needs no other attempt, before the task ends. */
  finish?: ((task: Task) => Promise<WorktreeResult | undefined>) | undefined;
  onError: (error: unknown) => void;
};

export type TaskChecker = {
  /** Goes on with what was being checked when the hub last ended. */
  begin(): void;
  /** Ends the checks that run: the next start makes them again. */
  end(): Promise<void>;
};

export function createTaskChecker(ports: TaskCheckerPorts): TaskChecker {
  const { views, execute, onError } = ports;
  const storeForSure = createStoreForSure(ports.after);
  const running = new Map<TaskId, { stop: AbortController; done: Promise<void> }>();
  let ended = false;

  const unfollow = ports.onCommitted((events) => {
    for (const event of events) {
      if (event.type === "TaskAnswered") take(event.data.task);
      if (event.type === "TaskEnded") running.get(event.data.task)?.stop.abort();
    }
  });

  function take(id: TaskId) {
    const task = views.tasks.byId(id);
    if (ended || task?.state !== "checking" || !isChecked(task)) return;
    const before = running.get(id)?.done;
    const stop = new AbortController();
    // An agent may answer again before its last answer is quite through here.
    const done = (before ?? Promise.resolve())
      .then(() => checkAnswer(id, stop.signal))
      .catch((error: unknown) => giveUp(id, error))
      .finally(() => {
        if (running.get(id)?.stop === stop) running.delete(id);
      });
    running.set(id, { stop, done });
  }

  async function checkAnswer(id: TaskId, signal: AbortSignal): Promise<void> {
    for (;;) {
      const task = ended ? undefined : views.tasks.byId(id);
      if (signal.aborted || task?.state !== "checking") return;
      const { attempt, results } = task;
      const verdict = verdictOf(views, task);
      if (verdict.kind !== "open") {
        const worktree = verdict.kind === "again" ? undefined : await finish(task);
        return store(() => execute("judgeTask", { task: id, attempt, worktree }));
      }
      const check = await make(task, verdict.next, signal);
      if (check === undefined) return;
      await store(() => execute("recordCheck", { task: id, attempt, nth: results.length, check }));
    }
  }

  /** What ends with the hub is left to its next start. */
  const store = (command: () => Promise<void>) => storeForSure(() => (ended ? Promise.resolve() : command()));

  async function make(task: Task, name: string, signal: AbortSignal): Promise<CheckResult | undefined> {
    if (name !== schemaCheck) return ports.runCheck(task, name, signal);
    const begun = performance.now();
    const answer = views.tasks.outputOf(task.id) ?? { text: "", isCut: false };
    const problems = await ports.schemas.misfits(task.outputSchema ?? {}, answer, task.by);
    if (signal.aborted) return undefined;
    const passed = problems.length === 0;
    const ms = Math.round(performance.now() - begun);
    return { name, passed, exit: passed ? 0 : 1, ms, output: problems.join("\n") };
  }

  async function finish(task: Task): Promise<WorktreeResult | undefined> {
    try {
      return await ports.finish?.(task);
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** Nobody else would end it before its time is up. */
  async function giveUp(id: TaskId, error: unknown): Promise<void> {
    onError(error);
    if (ended) return;
    const why = error instanceof Error ? error.message : String(error);
    await execute("failTask", { task: id, error: `its answer could not be checked: ${why}` }).catch(onError);
  }

  return {
    begin() {
      for (const { id, state } of views.tasks.open()) if (state === "checking") take(id);
    },
    async end() {
      ended = true;
      unfollow();
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
