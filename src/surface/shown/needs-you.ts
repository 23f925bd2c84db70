import type { z } from "zod";
import type { needsYouRoutes } from "../../contract/http/needs-you.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type Agent, type AgentStatus, HUMAN_ID } from "../../model/agent.js";
import type { NeedKind } from "../../model/needs-you.js";
import {
  dialogAct,
  type OfferedGrant,
  optionFor,
  type Permission,
  permissionDecisions,
  SETUP_CHECK,
} from "../../model/permission.js";
import { type BudgetKind, sayBudget, type Used } from "../../model/usage.js";
import type { ReachedBudget } from "../../views/budgets.js";
import type { AskedPermission } from "../../views/permissions.js";
import { noUsage } from "../../views/usage.js";
import type { HubPorts } from "../ports.js";
import { approvalNeeds } from "./approval-needs.js";
import { describeConversation, messagesOf } from "./conversation-facts.js";
import { mailNeeds } from "./mail-needs.js";
import { permissionFacts, turnFor, whoseFacts, wordsIn } from "./permission-facts.js";

/*
 * One list of what waits for the person, oldest first: what agents ask permission for, dialogs on their screens, conversations
 * that are paused, budgets that are used up, mail that is neither answered nor acknowledged, agents that do not get on, steps
 * that ask for approval.
 */

type Need = z.input<typeof needsYouRoutes.list.response>["items"][number];
type Action = Need["actions"][number];
type NeedPorts = Pick<HubPorts, "views" | "now" | "wall" | "hosting" | "limits">;

const MOST_CONVERSATIONS = 200;

export function listNeeds(ports: NeedPorts): Need[] {
  return [
    ...ports.views.permissions.open().map((asked) => ofPermission(asked, ports)),
    ...ofConversations(ports),
    ...ports.views.budgets
      .allReached()
      .filter((reached) => isStillHeld(reached, ports))
      .map((reached) => ofBudget(reached, ports)),
    ...mailNeeds(ports),
    ...approvalNeeds(ports),
    ...ports.views.roster.present().flatMap((agent) => ofStatus(agent, ports)),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function ofPermission({ permission, at, expiresAt }: AskedPermission, ports: NeedPorts): Need {
  const { id, act, options } = permission;
  const agent = askerOf(permission, ports);
  const isDialog = act === dialogAct;
  return {
    id,
    kind: isDialog ? "dialog" : "permission",
    agent,
    text: permission.run === undefined ? wordsOf(permission) : checkWords(permission.run, agent),
    at: iso(at),
    expires: expiresAt === null ? null : iso(inSeconds(ports.wall() + expiresAt - ports.now())),
    actions: isDialog ? [attachTo(agent)] : decisionsOn(id, options),
    facts: permissionFacts(permission, ports),
  };
}

/** While a worktree is made ready its agent is not there yet, but it is for that agent. */
function askerOf({ agent, run }: Permission, { views }: NeedPorts): string {
  const task = run?.check === SETUP_CHECK ? views.tasks.byId(run.task) : undefined;
  return task === undefined
    ? addressNow(views, agent, agent, HUMAN_ID)
    : addressNow(views, task.agent, task.agentName, HUMAN_ID);
}

/** Whole: what is not shown cannot be decided upon. */
function wordsOf({ act, title, tool, details }: Permission): string {
  return wordsIn(details) ?? `${act}: ${title}\n${tool} ${JSON.stringify(details) ?? ""}`;
}

/** It runs whatever the agent has written there. */
function checkWords({ check, argv, project, task }: NonNullable<Permission["run"]>, agent: string): string {
  if (check === SETUP_CHECK)
    return `A new worktree is made ready by: ${argv.join(" ")}\nIt runs what is in ${project}, where agents may have changed what that does (${check}, for ${task})`;
  return `${agent}'s task wants to run: ${argv.join(" ")}\nin ${project}, where agents may have changed what that does (check ${check} of ${task})`;
}

/** Each decision that the agent offers just so, in its own words; and No, which is always possible. */
function decisionsOn(id: string, options: readonly OfferedGrant[]): Action[] {
  return permissionDecisions.flatMap((decision) => {
    const offered = optionFor(options, decision);
    if (decision !== "deny" && offered?.grants !== decision) return [];
    const command = decision === "deny" ? `huddle deny ${id}` : `huddle approve ${id} ${decision}`;
    return [
      {
        action: decision,
        label: offered?.label ?? "No",
        command,
        method: "POST" as const,
        path: `/api/permissions/${id}`,
        body: { decision },
      },
    ];
  });
}

function attachTo(agent: string): Action {
  return { action: "attach", label: "Answer it in the pane", command: `huddle attach ${agent}` };
}

function ofConversations(ports: NeedPorts): Need[] {
  const { views, wall } = ports;
  return views.conversations.withState("paused", MOST_CONVERSATIONS).map((paused) => {
    const { id, messages, hop } = paused;
    const held = messagesOf(views.inbox.heldFor("budget", id), ports);
    return {
      id,
      kind: "budget" as const,
      agent: null,
      text: `Agents answered each other ${messages} times (${hop} hops) without you. Their mail waits.`,
      at: iso(pausedAt(views, id) ?? wall()),
      expires: null,
      facts: { about: "conversation" as const, ...describeConversation(paused, { held }, ports) },
      actions: (["continue", "freeze"] as const).map((decision) => ({
        action: decision,
        label: decision === "continue" ? "Let them go on" : "End it",
        command: `huddle conversations ${decision} ${id}`,
        method: "POST" as const,
        path: `/api/conversations/${id}`,
        body: { decision },
      })),
    };
  });
}

/** A workflow may have ended with the very step that used its budget up: then nothing waits. */
function isStillHeld({ kind, key }: ReachedBudget, { views }: NeedPorts): boolean {
  return kind === "agent" || views.workflows.byId(key)?.state === "running";
}

/** An agent or a workflow that has used what it may. */
function ofBudget({ kind, key, at, budget }: ReachedBudget, { views }: NeedPorts): Need {
  const name = kind === "agent" ? addressNow(views, key, key, HUMAN_ID) : key;
  const title = kind === "workflow" ? views.workflows.definition(key)?.name : undefined;
  const whose = title === undefined ? name : `the workflow "${title}"`;
  const waits = kind === "agent" ? "Its mail waits." : "No further step begins.";
  return {
    id: `budget-${key}`,
    kind: "budget",
    agent: kind === "agent" ? name : null,
    text: `The budget of ${whose}, ${sayBudget(budget)}, is used up. ${waits}`,
    at: iso(at),
    expires: null,
    actions: (["continue", "stop"] as const).map((decision) => ({
      action: decision,
      label: decision === "continue" ? "Let it go on" : "End it",
      command: `huddle budget ${decision} ${name}`,
      method: "POST" as const,
      path: `/api/budgets/${kind}/${key}`,
      body: { decision },
    })),
    facts: { about: "budget", of: kind, key, name, ...budget, used: usedSince(kind, key, views) },
  };
}

/** Since the person last let it go on. */
function usedSince(kind: BudgetKind, key: string, views: NeedPorts["views"]): Used {
  const { costUsd, inputTokens, outputTokens } = views.usage.of(kind, key) ?? noUsage;
  const from = views.budgets.from(kind, key);
  return { usd: (costUsd ?? 0) - from.usd, tokens: inputTokens + outputTokens - from.tokens };
}

/** Its oldest message that is held says since when. */
function pausedAt(views: NeedPorts["views"], conversation: string): number | undefined {
  const first = views.inbox.firstHeld("budget", conversation);
  return first === undefined ? undefined : views.messages.bySeq(first.seq)?.at;
}

/** Statuses that only the person can do something about. `limited`: the vendor's usage limit. */
const needsByStatus: Partial<Record<AgentStatus, NeedKind>> = { stalled: "stalled", limited: "limit" };

function ofStatus(agent: Agent, ports: NeedPorts): Need[] {
  const { views, hosting } = ports;
  const kind = needsByStatus[agent.status];
  if (kind === undefined) return [];
  const name = addressNow(views, agent.id, agent.name, HUMAN_ID);
  const kill: Action = {
    action: "kill",
    label: "End it",
    command: `huddle kill ${name}`,
    method: "POST",
    path: `/api/agents/${agent.id}/kill`,
  };
  return [
    {
      id: agent.id,
      kind,
      agent: name,
      text: `${name}: ${agent.statusEvidence}`,
      at: iso(agent.statusSince),
      expires: agent.limitedUntil === null ? null : iso(agent.limitedUntil),
      actions: [
        ...(hosting.tmuxOf(agent.id) === undefined ? [] : [{ ...attachTo(name), label: "Look at its pane" }]),
        kill,
      ],
      facts: statusFacts(agent, ports),
    },
  ];
}

function statusFacts(agent: Agent, ports: NeedPorts): Need["facts"] {
  const { id, status, statusSince, statusEvidence, lastActive } = agent;
  const turn = ports.views.turns.open(id);
  return {
    about: "agent",
    id,
    status,
    since: iso(statusSince),
    evidence: statusEvidence,
    last_active: iso(lastActive),
    turn: turn?.id ?? null,
    turn_since: turn === undefined ? null : iso(ports.wall() + turn.started - ports.now()),
    turn_for: turnFor(id, turn?.id ?? null, ports),
    ...whoseFacts(id, ports),
    pane: ports.hosting.tmuxOf(id) ?? null,
  };
}

/** Two clocks that are read one after the other differ by a little each time: a deadline is to stay what it is. */
function inSeconds(ms: number): number {
  return Math.round(ms / 1000) * 1000;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
