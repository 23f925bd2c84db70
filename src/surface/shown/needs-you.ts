import type { z } from "zod";
import type { needsYouRoutes } from "../../contract/http/needs-you.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type Agent, type AgentStatus, HUB_ID, HUMAN_ID } from "../../model/agent.js";
import type { NeedKind } from "../../model/needs-you.js";
import {
  dialogAct,
  type OfferedGrant,
  optionFor,
  type Permission,
  permissionDecisions,
  SETUP_CHECK,
} from "../../model/permission.js";
import { sayBudget } from "../../model/usage.js";
import type { ReachedBudget } from "../../views/budgets.js";
import type { AskedPermission } from "../../views/permissions.js";
import type { HubPorts } from "../ports.js";
import { approvalNeeds } from "./approval-needs.js";

/*
 * One list of what waits for the person, oldest first: what agents ask permission for, dialogs on their screens, conversations
 * that are paused, budgets that are used up, mail that is neither answered nor acknowledged, agents that do not get on, steps
 * that ask for approval.
 */

type Need = z.input<typeof needsYouRoutes.list.response>["items"][number];
type Action = Need["actions"][number];
type NeedPorts = Pick<HubPorts, "views" | "now" | "wall" | "hosting">;

/** A full inbox, as the hub has them by default. */
const MOST_MAIL = 1000;
const MOST_CONVERSATIONS = 200;

export function listNeeds(ports: NeedPorts): Need[] {
  return [
    ...ports.views.permissions.open().map((asked) => ofPermission(asked, ports)),
    ...ofConversations(ports),
    ...ports.views.budgets
      .allReached()
      .filter((reached) => isStillHeld(reached, ports))
      .map((reached) => ofBudget(reached, ports)),
    ...ofMail(ports),
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
    expires: expiresAt === null ? null : iso(ports.wall() + expiresAt - ports.now()),
    actions: isDialog ? [attachTo(agent)] : decisionsOn(id, options),
  };
}

/** While a worktree is made ready its agent is not there yet, but it is for that agent. */
function askerOf({ agent, run }: Permission, { views }: NeedPorts): string {
  const task = run?.check === SETUP_CHECK ? views.tasks.byId(run.task) : undefined;
  return task === undefined
    ? addressNow(views, agent, agent, HUMAN_ID)
    : addressNow(views, task.agent, task.agentName, HUMAN_ID);
}

function wordsOf({ act, title, tool, details }: Permission): string {
  return wordsIn(details) ?? `${act}: ${title}\n${tool} ${exactly(details)}`;
}

/** It runs whatever the agent has written there. */
function checkWords({ check, argv, project, task }: NonNullable<Permission["run"]>, agent: string): string {
  if (check === SETUP_CHECK)
    return `A new worktree is made ready by: ${argv.join(" ")}\nIt runs what is in ${project}, where agents may have changed what that does (${check}, for ${task})`;
  return `${agent}'s task wants to run: ${argv.join(" ")}\nin ${project}, where agents may have changed what that does (check ${check} of ${task})`;
}

/** A dialog's own words; what else asks gives other details. */
function wordsIn(details: unknown): string | undefined {
  const isObject = typeof details === "object" && details !== null && "words" in details;
  return isObject && typeof details.words === "string" ? details.words : undefined;
}

const DETAILS_MOST = 500;

function exactly(details: unknown): string {
  const json = JSON.stringify(details) ?? "";
  return json.length > DETAILS_MOST ? `${json.slice(0, DETAILS_MOST)}…` : json;
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

function ofConversations({ views, wall }: NeedPorts): Need[] {
  const paused = views.conversations.withState("paused", MOST_CONVERSATIONS).map(({ id, messages, hop }) => ({
    id,
    kind: "budget" as const,
    agent: null,
    text: `Agents answered each other ${messages} times (${hop} hops) without you. Their mail waits.`,
    at: iso(pausedAt(views, id) ?? wall()),
    expires: null,
    actions: (["continue", "freeze"] as const).map((decision) => ({
      action: decision,
      label: decision === "continue" ? "Let them go on" : "End it",
      command: `huddle conversations ${decision} ${id}`,
      method: "POST" as const,
      path: `/api/conversations/${id}`,
      body: { decision },
    })),
  }));
  return paused;
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
  };
}

/** Its oldest message that is held says since when. */
function pausedAt(views: NeedPorts["views"], conversation: string): number | undefined {
  const first = views.inbox.firstHeld("budget", conversation);
  return first === undefined ? undefined : views.messages.bySeq(first.seq)?.at;
}

function ofMail({ views }: NeedPorts): Need[] {
  return views.inbox.unread(HUMAN_ID, 0, MOST_MAIL).flatMap(({ seq, answeredBy }) => {
    const stored = views.messages.bySeq(seq);
    // A conversation that is paused stands in the list itself, and this tells only of that.
    if (stored === undefined || answeredBy !== null || isBudgetNotice(stored.data.message)) return [];
    const { message } = stored.data;
    const isHubs = message.from === HUB_ID;
    const agent = isHubs ? null : addressNow(views, message.from, message.fromName, HUMAN_ID);
    const reply = {
      action: "reply",
      label: "Answer",
      command: `huddle send ${agent} TEXT --reply-to ${message.id}`,
    };
    const ack = {
      action: "ack",
      label: "Mark as read",
      command: "huddle inbox --ack",
      method: "POST" as const,
      path: "/api/inbox/ack",
      body: { ids: [message.id] },
    };
    return [
      {
        id: message.id,
        kind: isHubs ? ("bounce" as const) : ("question" as const),
        agent,
        text: message.content,
        at: iso(stored.at),
        expires: null,
        actions: isHubs ? [ack] : [reply, ack],
      },
    ];
  });
}

function isBudgetNotice({ from, metadata }: { from: string; metadata?: unknown }): boolean {
  const isAsk = typeof metadata === "object" && metadata !== null && "reason" in metadata;
  return from === HUB_ID && isAsk && metadata.reason === "budget";
}

/** Statuses that only the person can do something about. `limited`: the vendor's usage limit. */
const needsByStatus: Partial<Record<AgentStatus, NeedKind>> = { stalled: "stalled", limited: "limit" };

function ofStatus(agent: Agent, { views, hosting }: NeedPorts): Need[] {
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
    },
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
