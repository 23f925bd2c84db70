import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ExecuteCommand } from "../../hub/deciders.js";
import { isPresent } from "../../hub/rules/present-agent.js";
import type { Listen } from "../../journal/signal.js";
import type { Agent, AgentId } from "../../model/agent.js";
import type { HubEvent } from "../../model/events.js";
import type { AssignedTask, WorktreeResult } from "../../model/task.js";
import { isWithin } from "../../runtime/fs/allowed-roots.js";
import { isOurs } from "../../runtime/git/make-worktree.js";
import { type Measure, measureWorktree } from "../../runtime/git/measure-worktree.js";
import { removeWorktree } from "../../runtime/git/remove-worktree.js";
import type { TightViews } from "../../views/tight.js";
import type { Worktree } from "../../views/worktrees.js";
import { unchangedCopies } from "./copied-files.js";
import type { InTurn } from "./in-turn.js";

type KeeperPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  inTurn: InTurn;
  /** Resolves once no process of the agent is left. */
  processGone: (agent: AgentId) => Promise<void>;
  copy: readonly string[];
  onError: (error: unknown) => void;
};

/** Looks after worktrees whose agent has left: one with changes is kept, one without is removed. */
export type WorktreeKeeper = {
  /** Takes up what was left when the hub last ended. */
  begin(): void;
  end(): Promise<void>;
  /** Resolves once all of them are looked after whose agents have left. */
  settled(): Promise<void>;
  /** Its agent did not come to be. */
  drop(agent: AgentId): Promise<void>;
  /** Where a task's agent works, if that is a worktree. */
  folderOf(task: Pick<AssignedTask, "agent">): string | undefined;
  /** What it has come to by the end of a task; it goes, if it does, after its agent. */
  finish(task: Pick<AssignedTask, "agent" | "keep">): Promise<WorktreeResult | undefined>;
};

export function createWorktreeKeeper(ports: KeeperPorts): WorktreeKeeper {
  const { views, execute, inTurn, onError } = ports;
  const settling = new Set<Promise<void>>();

  function settle({ name, agent, path }: Worktree): Promise<void> {
    const isGone = ports.processGone(agent);
    const done = isGone
      .then(() =>
        inTurn(dirname(path), async () => {
          const worktree = views.worktrees.byName(name);
          if (worktree?.agent !== agent || worktree.state === "kept") return;
          // One that it started may be at work there: then it is looked at again when that one leaves.
          if (inhabitants(views, worktree).length > 0) return;
          const result = await (worktree.state === "making" ? undo(worktree) : keepOrRemove(worktree));
          await execute("endWorktree", { name, agent, result });
        }),
      )
      .catch(onError);
    settling.add(done);
    return done.finally(() => settling.delete(done));
  }

  /** It was never finished, so nobody has worked in it. */
  async function undo(worktree: Worktree): Promise<undefined> {
    if (await isOurs(worktree)) await removeWorktree(worktree, { tip: worktree.base, force: true });
  }

  async function keepOrRemove(worktree: Worktree): Promise<WorktreeResult | undefined> {
    const { path, project, base } = worktree;
    if (!existsSync(path) && !existsSync(project)) return undefined;
    try {
      const copies = unchangedCopies(worktree, ports.copy);
      const measure = await measureWorktree(worktree, copies);
      if (!measure.isUntouched) return toResult(worktree, measure, true);
      for (const file of copies) await rm(join(path, file));
      await removeWorktree(worktree, { tip: base, force: false });
      return toResult(worktree, measure, false);
    } catch (error) {
      // What cannot be judged is not removed.
      onError(error);
      return toResult(worktree, nothing, true);
    }
  }

  function look(): void {
    for (const worktree of views.worktrees.list()) {
      if (worktree.state !== "kept" && isLeft(worktree)) void settle(worktree);
    }
  }

  function isLeft({ agent }: Worktree): boolean {
    if (views.roster.byId(agent) !== undefined) return !isPresent(views, agent);
    // Being made for a task that goes on: its agent is about to be started.
    return !views.tasks.openOf(agent).some(({ state, message }) => state === "pending" && message === null);
  }

  const stop = ports.onCommitted((events) => {
    if (events.some(({ type }) => type === "AgentDeregistered")) {
      for (const worktree of views.worktrees.list()) {
        const isGone = views.roster.byId(worktree.agent) !== undefined && !isPresent(views, worktree.agent);
        if (worktree.state === "made" && isGone) void settle(worktree);
      }
    }
  });

  async function settled(): Promise<void> {
    while (settling.size > 0) await Promise.all(settling);
  }

  return {
    begin: look,
    async end() {
      stop();
      await settled();
    },
    settled,
    async drop(agent) {
      const worktree = views.worktrees.ofAgent(agent);
      if (worktree !== undefined && views.roster.byId(agent) === undefined) await settle(worktree);
    },
    folderOf: ({ agent }) => views.worktrees.ofAgent(agent)?.folder,
    async finish({ agent, keep }) {
      const worktree = views.worktrees.ofAgent(agent);
      if (worktree === undefined) return undefined;
      if (worktree.result !== null) return worktree.result;
      try {
        const measure = await measureWorktree(worktree, unchangedCopies(worktree, ports.copy));
        return toResult(worktree, measure, keep === true || !measure.isUntouched);
      } catch (error) {
        onError(error);
        return toResult(worktree, nothing, true);
      }
    },
  };
}

const nothing: Measure = { commits: 0, files: 0, insertions: 0, deletions: 0, loose: 0, isUntouched: false };

export function toResult({ branch, path }: Worktree, measure: Measure, kept: boolean): WorktreeResult {
  const { commits, files, insertions, deletions } = measure;
  return { branch, path, kept, commits, files, insertions, deletions };
}

/** Who is at work there. */
export function inhabitants(views: TightViews, { agent, path }: Worktree): Agent[] {
  return views.roster
    .present()
    .filter(({ id, project }) => id === agent || (project !== null && isWithin(path, project)));
}
