import { z } from "zod";
import { budgetKinds } from "../../model/usage.js";
import { conversationFacts } from "./conversations.js";
import { messageWords as words } from "./message-words.js";

/** What the person decides upon, field by field; `text` of the need says the same in words. */

const text = z.string();
const maybe = z.string().nullable();

const pane = z.object({ session: text, pane: text, socket: maybe });

/** Where an agent works, and how it is driven. */
const whose = { folder: maybe, backend: maybe, runtime: maybe };

/** In the agent's own words, and whole: nothing of it is cut. */
const permission = z.object({
  about: z.literal("permission"),
  tool: text,
  act: text,
  title: text,
  details: z.unknown(),
  options: z.array(z.object({ id: text, label: text, grants: text })),
  ...whose,
  policy: maybe,
  /** Whose mail it is at; empty outside of a turn. */
  turn: maybe,
  turn_for: z.array(text),
  /** The hub asks, in order to check the agent's task. */
  check: z.object({ name: text, argv: z.array(text), project: text, task: text }).optional(),
});

const dialog = z.object({
  about: z.literal("dialog"),
  title: text,
  words: text,
  ...whose,
  pane: pane.nullable(),
});

const conversation = z.object({ about: z.literal("conversation"), ...conversationFacts.shape });

const budget = z.object({
  about: z.literal("budget"),
  of: z.enum(budgetKinds),
  key: text,
  name: text,
  usd: z.number().optional(),
  tokens: z.number().optional(),
  used: z.object({ usd: z.number(), tokens: z.number() }),
});

const message = z.object({
  about: z.literal("message"),
  id: text,
  from: text,
  type: text,
  context: text.optional(),
  /** What it answers, where that is known. */
  answers: words.optional(),
});

/** A message of the person's that ended unread. */
const bounce = z.object({
  about: z.literal("bounce"),
  id: text,
  to: text,
  reason: text,
  message: words.nullable(),
});

/** Whatever else the hub tells the person. */
const notice = z.object({
  about: z.literal("notice"),
  id: text,
  notice: maybe,
  /** The agent that it is about. */
  agent: text.optional(),
});

const agent = z.object({
  about: z.literal("agent"),
  id: text,
  status: text,
  since: text,
  evidence: text,
  last_active: text,
  turn: maybe,
  turn_since: maybe,
  turn_for: z.array(text),
  ...whose,
  pane: pane.nullable(),
});

const step = z.object({
  about: z.literal("step"),
  workflow: text,
  name: text,
  by: text,
  step: text,
  /** Whole, as it is written; null for a step that only asks. */
  prompt: maybe,
  agent: maybe,
  backend: maybe,
  /** What flows into it. */
  inputs: z.array(z.object({ step: text, status: text, output: maybe, error: maybe })),
});

export const needFacts = z.discriminatedUnion("about", [
  permission,
  dialog,
  conversation,
  budget,
  message,
  bounce,
  notice,
  agent,
  step,
]);
