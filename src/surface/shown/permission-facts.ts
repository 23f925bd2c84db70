import type { z } from "zod";
import type { needFacts } from "../../contract/http/need-facts.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { dialogAct, type Permission } from "../../model/permission.js";
import type { HubPorts } from "../ports.js";

export type NeedFacts = z.input<typeof needFacts>;
type Ports = Pick<HubPorts, "views" | "hosting">;

/** A permission as the agent asked for it, with what is known of the agent and of its turn. */
export function permissionFacts(permission: Permission, ports: Ports): NeedFacts {
  const { agent, tool, act, title, details, options, turn, run } = permission;
  const whose = whoseFacts(agent, ports);
  if (act === dialogAct)
    return {
      about: "dialog",
      title,
      words: wordsIn(details) ?? title,
      ...whose,
      pane: ports.hosting.tmuxOf(agent) ?? null,
    };
  return {
    about: "permission",
    tool,
    act,
    title,
    details,
    options: options.map(({ id, label, grants }) => ({ id, label, grants })),
    ...whose,
    policy: ports.views.roster.byId(agent)?.permissions ?? null,
    turn,
    turn_for: turnFor(agent, turn, ports),
    ...(run === undefined
      ? {}
      : { check: { name: run.check, argv: [...run.argv], project: run.project, task: run.task } }),
  };
}

export function whoseFacts(agent: AgentId, { views }: Ports) {
  const known = views.roster.byId(agent);
  return {
    folder: known?.project ?? null,
    backend: known?.backend ?? null,
    runtime: known?.runtime ?? null,
  };
}

/** Those whose mail the turn is at, if it is the one that goes on. */
export function turnFor(agent: AgentId, turn: string | null, { views }: Ports): string[] {
  const open = views.turns.open(agent);
  if (turn === null || open?.id !== turn) return [];
  const senders = open.deliveries.flatMap((seq) => views.messages.bySeq(seq)?.data.message ?? []);
  return [...new Set(senders.map(({ from, fromName }) => addressNow(views, from, fromName, HUMAN_ID)))];
}

/** A dialog's own words; what else asks gives other details. */
export function wordsIn(details: unknown): string | undefined {
  const isObject = typeof details === "object" && details !== null && "words" in details;
  return isObject && typeof details.words === "string" ? details.words : undefined;
}
