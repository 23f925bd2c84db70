import { isAbsolute, posix } from "node:path";
import { z } from "zod";
import { amount, bytes, count, duration, structured } from "./config-leaf.js";
import { section } from "./config-section.js";

/* The keys of memories, tasks, workflows, worktrees and budgets. */

export const memory = section({
  cap: bytes(
    "256MiB",
    "Most bytes of all versions of memories that are kept; beyond it agents get 429 MEMORY_FULL.",
    "1KiB",
  ),
  agent_cap: bytes(
    "16MiB",
    "Most bytes of them that one agent wrote; beyond it that agent gets 429 MEMORY_FULL.",
    "1KiB",
  ),
  versions: count(20, "How many versions of a memory are kept.", 1, 1000),
});

export const tasks = section({
  within: duration(
    "12h",
    "A task that has not ended after this long has failed; so has one that says less (timeout_seconds) and ran that long.",
    "1s",
    "365d",
  ),
  open_cap: count(10_000, "Most open tasks; beyond it assigners get 429 TASKS_FULL.", 1, 1_000_000),
  agent_cap: count(
    2000,
    "Most open tasks that one agent assigned, the steps of its workflows among them; beyond it that agent gets 429 TASKS_FULL.",
    1,
    1_000_000,
  ),
  check_within: duration("10m", "A check that runs longer than this is ended, and has not passed.", "100ms"),
  checks_at_once: count(2, "Most checks that run at once; further ones wait.", 1, 1000),
});

export const worktree = section({
  setup: structured(
    z.array(z.string({ error: "must be a text; quote it" }), { error: "must be a list, such as [npm, ci]" }),
    [],
    "A program and its arguments, such as [npm, ci], that makes a new worktree ready. You approve its first run in each project.",
  ),
  cap: count(
    200,
    "Most worktrees, in use and kept; beyond it none is made. A tenth is left to the person: agents get none of those.",
    1,
    100_000,
  ),
  setup_within: duration("10m", "How long that may take; then the worktree is not made.", "1s", "12h"),
  copy: structured(
    z.array(
      z
        .string({ error: "must be a path" })
        .min(1, "must not be empty")
        .refine(isInside, "must be a path below the project, such as .env"),
      { error: "must be a list, such as [.env]" },
    ),
    [],
    "Files of the project that a new worktree gets a copy of, if they are there, such as .env.",
  ),
});

/** Relative, and not out of its folder. */
function isInside(path: string): boolean {
  return !isAbsolute(path) && !path.includes("\0") && !/^(\.\.)?(\/|$)/.test(posix.normalize(path));
}

export const workflows = section({
  steps: count(1000, "Most steps of one workflow; more are refused with WORKFLOW_INVALID.", 1, 10_000),
  open_cap: count(
    1000,
    "Most workflows that run at once; beyond it creators get 429 WORKFLOWS_FULL.",
    1,
    100_000,
  ),
  agent_cap: count(
    50,
    "Most workflows of one agent that run at once; beyond it that agent gets 429 WORKFLOWS_FULL.",
    1,
    100_000,
  ),
});

export const budgets = section({
  agent_usd: amount(
    0,
    "What one agent may cost in US dollars until you are asked; 0 sets no budget. Only turns whose vendor tells the cost count.",
    1_000_000,
  ),
  agent_tokens: count(
    0,
    "How many tokens, in and out together, one agent may use until you are asked; 0 sets no budget. Agents in tmux panes, and those that you start yourself, tell none: no budget holds them.",
    0,
    1_000_000_000_000,
  ),
  workflow_usd: amount(
    0,
    "What the steps of one workflow may cost together, unless it has a budget of its own; 0 sets none.",
    1_000_000,
  ),
});
