import { z } from "zod";
import { planEntry, toolStatuses, turnUsage } from "./live.js";
import type { RouteContract } from "./route.js";

const turnsQuery = z.strictObject({
  before: z
    .string()
    .regex(/^[0-9]{1,15}$/, "not one that a page of turns gave as `next`")
    .optional()
    .describe("`next` of the page before"),
  limit: z.number().int().min(1).max(100).default(20),
});

const turnTool = z.object({
  title: z.string(),
  status: z.enum(toolStatuses),
  ms: z.number().nullable().describe("How long it ran; null where that is not known"),
  act: z.string().optional().describe("read, edit, delete, move, search, execute, think, fetch, other"),
  offset: z.number().optional().describe("How much of `text` stood when it was called"),
});

/** What was left out at the beginning, because a turn keeps 256 KB: characters of texts, and calls of tools. */
const cut = z.object({
  text: z.number().optional(),
  thoughts: z.number().optional(),
  tools: z.number().optional(),
});

const turnView = z.object({
  turn: z.string(),
  seq: z.number().nullable().describe("Of the event `TurnEnded`; null while the turn is open"),
  started: z.string(),
  ended: z.string().nullable().describe("Null while the turn is open"),
  stop: z.string().nullable().describe("How it ended (20.6)"),
  error: z.string().optional(),
  messages: z.array(z.string()).describe("The ids of what it was told"),
  text: z.string(),
  thoughts: z.string(),
  tools: z.array(turnTool),
  plan: z.array(planEntry),
  usage: turnUsage.nullable().describe("Null where the vendor did not tell"),
  cut: cut.optional(),
  task: z.string().optional(),
});
export type TurnView = z.output<typeof turnView>;

/** Among messages, where it has to say whose it is. */
export const agentTurnView = turnView.extend({ agent: z.string(), id: z.string() });
export type AgentTurnView = z.output<typeof agentTurnView>;

/** A turn that a search found. */
export const turnHit = agentTurnView
  .pick({
    agent: true,
    id: true,
    turn: true,
    seq: true,
    started: true,
    ended: true,
    stop: true,
    messages: true,
  })
  .extend({
    excerpt: z.string().describe("At most 2,000 characters of it, around the first word looked for"),
  });
export type TurnHit = z.output<typeof turnHit>;

const screen = z.object({
  text: z.string().describe("The visible lines, without colours"),
  ansi: z.string().describe("The same with colours and styles, as escape sequences that a terminal shows"),
  columns: z.number(),
  rows: z.number(),
  cursor: z
    .object({ column: z.number(), row: z.number() })
    .nullable()
    .describe("From 0, at the upper left; null: it is hidden"),
});
export type Screen = z.output<typeof screen>;

export const turnRoutes = {
  list: {
    method: "GET",
    path: "/api/agents/:name/turns",
    summary:
      "The turns of an agent, newest first, the open one among them: what it was told, did and answered; an agent sees its own",
    access: "member",
    query: turnsQuery,
    status: 200,
    response: z.object({ turns: z.array(turnView), next: z.string().nullable() }),
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS"],
  },
  screen: {
    method: "GET",
    path: "/api/agents/:name/screen",
    summary: "What stands in an agent's pane now",
    access: "operator",
    status: 200,
    response: screen,
    errors: ["AGENT_NOT_FOUND", "AGENT_GONE", "NAME_AMBIGUOUS", "NO_SCREEN"],
  },
} as const satisfies Record<string, RouteContract>;
