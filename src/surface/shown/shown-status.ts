import type { Agent, AgentStatus } from "../../model/agent.js";
import { type Dialect, type StatusWord, statusWord } from "../../model/status-words.js";
import { sayBudget } from "../../model/usage.js";
import type { HubPorts } from "../ports.js";

/*
 * What is not stored, because it changes too often or is only heard of: that an agent is inside a wait (`listening`), that
 * its hooks say it is in a turn (`busy`), that mail of its own is held back (`rate_limited`). It is looked up when shown.
 */

/** `since` is wall time. */
type Shown = { status: AgentStatus; since: number; evidence: string };

type StatusPorts = Pick<HubPorts, "views" | "now" | "inbox" | "mail" | "hooks">;

export function shownStatus(agent: Agent, ports: StatusPorts): Shown {
  const shown = atBudget(agent, ports) ?? withoutPacing(agent, ports);
  const isAtRest = shown.status === "idle" || shown.status === "listening";
  if (!isAtRest || !ports.views.pairs.isHolding(agent.id, ports.now())) return shown;
  return { ...shown, status: "rate_limited", evidence: "mail that it sent is held by a cooldown" };
}

/** In the words of a dialect. That of the tools has none for mail that is held back, and one for a wait. */
export function shownWord<D extends Dialect>(dialect: D, agent: Agent, ports: StatusPorts): StatusWord<D> {
  const { status } =
    dialect === "tools" ? (atBudget(agent, ports) ?? withoutPacing(agent, ports)) : shownStatus(agent, ports);
  return statusWord(dialect, status);
}

/** Between turns it waits for the person to decide. */
function atBudget({ id, status }: Agent, { views }: StatusPorts): Shown | undefined {
  const reached = views.budgets.reached("agent", id);
  if (reached === undefined || (status !== "idle" && status !== "dormant")) return undefined;
  return {
    status: "waiting",
    since: reached.at,
    evidence: `its budget of ${sayBudget(reached.budget)} is used up`,
  };
}

/** What an open wait says more of: at rest, or in a turn that does nothing but wait. */
const canListen: ReadonlySet<AgentStatus> = new Set(["idle", "busy", "stalled"]);

function withoutPacing(agent: Agent, { inbox, mail, hooks }: StatusPorts): Shown {
  const waits = canListen.has(agent.status)
    ? (inbox.waitingSince(agent.id) ?? mail.takenSince(agent.id))
    : undefined;
  if (waits !== undefined) return { status: "listening", since: waits, evidence: "it waits for a message" };
  const turn = agent.status === "idle" ? hooks.turnSince(agent.id) : undefined;
  if (turn !== undefined) return { status: "busy", since: turn, evidence: "its hooks tell of a turn" };
  return { status: agent.status, since: agent.statusSince, evidence: agent.statusEvidence };
}

/** When it was last heard of, as wall time. */
export function lastActive(agent: Agent, { presence }: HubPorts): number {
  return Math.max(agent.lastActive, presence.lastSeen(agent.id) ?? 0);
}
