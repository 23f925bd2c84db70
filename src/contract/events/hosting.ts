import { z } from "zod";
import { adoptedPane, agent, number, text } from "./parts.js";

const usage = z.object({
  inputTokens: number.optional(),
  outputTokens: number.optional(),
  costUsd: number.optional(),
});

const permission = z.object({
  id: text,
  agent,
  turn: text.nullable(),
  tool: text,
  title: text,
  act: text,
  /** As the agent gave them. */
  details: z.unknown(),
  options: z.array(z.object({ id: text, label: text, grants: text })).readonly(),
  /** The hub asks, in order to check the agent's task. */
  run: z.object({ task: text, check: text, argv: z.array(text).readonly(), project: text }).optional(),
});

const hosted = z.literal(true).optional();

export const hostingEvents = {
  SpawnRequested: z
    .object({
      agent,
      by: agent,
      runtimeReason: text.optional(),
      chosen: z.literal(true).optional(),
      runtime: text.optional(),
    })
    .describe(
      "It is registered, and will be started. `runtimeReason`: why in this way; `chosen`: by the hub. `runtime`: it did not start in the way chosen first, and is started in this one",
    ),
  AgentStarted: z
    .object({ agent, session: text.optional(), resumed: z.boolean() })
    .describe("It can take prompts; `resumed`: with its history"),
  SpawnFailed: z.object({ agent, code: text, error: text }).describe("It never started, and is gone"),
  PaneAdopted: z
    .object({ agent, adopted: adoptedPane, backend: text, permissions: text })
    .describe("An agent that a person started, with a bridge of its own, is typed to in its pane as well"),
  PaneLetGo: z
    .object({ agent, reason: text, why: text })
    .describe(
      "It pulls its mail as before; `reason`: `closed` (its pane, or the CLI in it, ended), `killed`",
    ),
  SessionChanged: z
    .object({ agent, session: text })
    .describe("The vendor's session, by which it is taken up again"),
  AgentCrashed: z
    .object({
      agent,
      why: text,
      exit: z.object({ code: number.nullable(), signal: text.nullable(), stderr: text }).optional(),
      failures: number,
      retryInMs: number.nullable(),
    })
    .describe("Its process failed; `retryInMs` is null when it is given up until its next message"),
  AgentStopped: z.object({ agent, reason: text }).describe("Unloaded; `reason`: `idle`, `hub_stop`"),
  ShutdownRequested: z
    .object({ agent, by: agent, reason: text.optional(), hosted })
    .describe("`by` asked it to end; `hosted`: the hub ends it, if need be at its next start"),
  KillRequested: z.object({ agent, by: agent, hosted }).describe("`by` ends it; `hosted` as above"),
  TurnEnded: z
    .object({
      agent,
      turn: text,
      stop: text,
      error: text.optional(),
      text,
      usage: usage.optional(),
      sessionUsage: usage.optional(),
      messages: number,
      mail: z.array(text).readonly().optional(),
      ms: number.optional(),
      task: text.optional(),
      workflow: text.optional(),
      conversation: text.optional(),
      thoughts: text.optional(),
      tools: z
        .array(
          z.object({
            title: text,
            status: text,
            act: text.optional(),
            ms: number.optional(),
            offset: number.optional(),
          }),
        )
        .readonly()
        .optional(),
      cut: z
        .object({ text: number.optional(), thoughts: number.optional(), tools: number.optional() })
        .optional(),
      plan: z
        .array(z.object({ text, status: text }))
        .readonly()
        .optional(),
    })
    .describe(
      "`text` is what the agent said, `messages` how many the turn carried, `mail` their ids, `ms` how long it took, `tools` its calls (`act`, `ms`, `offset` as in 28.2), `plan` its last plan; at most 256 KB, `cut`: what is missing at the beginning of each (28.3)",
    ),
  AgentPaused: z
    .object({
      agent,
      by: agent,
      now: z.literal(true).optional(),
      clocks: z
        .array(z.object({ task: text, leftMs: number }))
        .readonly()
        .optional(),
    })
    .describe(
      "It begins no turn and gets no mail (26); `now`: its turn is cut; `clocks`: what is left of its tasks' times",
    ),
  AgentResumed: z
    .object({
      agent,
      by: agent,
      clocks: z
        .array(z.object({ task: text, expiresAt: number }))
        .readonly()
        .optional(),
    })
    .describe("What waited comes now; `expiresAt` is hub time"),
  AllPaused: z
    .object({ by: agent, spares: text.optional() })
    .describe("Whoever comes later is paused, too; `spares`: `orchestrators` are not"),
  AllResumed: z.object({ by: agent }).describe("Whoever comes later is not paused"),
  BudgetReached: z
    .object({
      kind: text,
      key: text,
      budget: z.object({ usd: number.optional(), tokens: number.optional() }),
      used: z.object({ usd: number, tokens: number }),
    })
    .describe("It used what it may (25.3), and waits for the person; `key` is an agent's or a workflow's id"),
  BudgetDecided: z
    .object({
      kind: text,
      key: text,
      decision: text,
      by: agent,
      used: z.object({ usd: number, tokens: number }),
    })
    .describe("`decision`: `continue`, `stop`, or `lifted` by another configuration"),
  PermissionRequested: z
    .object({ permission, expiresAt: number.optional() })
    .describe("It asks to be allowed to do something (20.7); `expiresAt` is hub time"),
  PermissionAnswered: z
    .object({
      agent,
      permission: text,
      outcome: text,
      option: text.optional(),
      by: agent,
      via: text.optional(),
      reason: text.optional(),
    })
    .describe(
      "`outcome`: `once`, `session`, `always`, `deny`, `cancelled`; `via`: `desk`, where it came by a desk's token (27.1); `reason`: `policy`, `timeout`, `cancelled`, `answered_in_pane`",
    ),
} as const;
