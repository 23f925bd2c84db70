import { addressNow } from "../../hub/rules/address-of.js";
import { isPaused } from "../../hub/rules/stands-still.js";
import type { AgentId } from "../../model/agent.js";
import type { HoldReason } from "../../model/message.js";
import { isTaskEnded } from "../../model/task.js";
import type { Task } from "../../views/tasks.js";
import type { HubPorts } from "../ports.js";

type Ports = Pick<HubPorts, "views">;

/** `isPersons`: only the person can let it go on; `since`: wall time, where it is known. What it says is for everybody who may see the task. */
type Waiting = { what: string; isPersons: boolean; since?: number };

/** What keeps a task from going on, if anything does. */
export function waitsFor(task: Task, reader: AgentId, { views }: Ports): Waiting | undefined {
  if (isTaskEnded(task.state)) return undefined;
  const asked = questionOf(task, { views });
  if (asked !== undefined) return { ...asked, isPersons: true };
  const held = task.message === null ? undefined : views.inbox.get(task.message, task.agent);
  if (held?.state === "held") return ofHold(held.hold);
  const name = addressNow(views, task.agent, task.agentName, reader);
  if (isPaused(views, task.agent)) return { what: `${name} to be resumed: it is paused`, isPersons: false };
  if (views.budgets.reached("agent", task.agent) !== undefined)
    return { what: `the person: the budget of ${name} is used up`, isPersons: true };
  return undefined;
}

function ofHold(reason: HoldReason | null): Waiting {
  return reason === "cooldown"
    ? { what: "the cooldown between its assigner and its agent", isPersons: false }
    : { what: "the person: its conversation is paused", isPersons: true };
}

/** A question that the person has not answered: what a check runs is the operator's, and only its name is said. */
function questionOf(
  { id, agent, by, state }: Task,
  { views }: Ports,
): { what: string; since: number } | undefined {
  // Its agent is not there yet while its worktree is made ready: whoever assigned it asks.
  const asker = state === "pending" ? by : agent;
  const open = views.permissions.openOf(asker);
  const own = open.find(({ permission }) => permission.run?.task === id);
  if (own?.permission.run !== undefined)
    return { what: `the person to allow ${own.permission.run.check} to run`, since: own.at };
  const [oldest] = open;
  if (state === "pending" || oldest === undefined) return undefined;
  return { what: "the person to answer what its agent asks", since: oldest.at };
}
