import type { z } from "zod";
import type { agentRoutes } from "../../contract/http/agents.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { type Agent, HUMAN_ID } from "../../model/agent.js";
import { obligationText } from "../../model/obligation.js";
import type { HubPorts } from "../ports.js";

type Row = z.input<typeof agentRoutes.list.response>["agents"][number];
type Ports = Pick<HubPorts, "views" | "now" | "wall">;

/** What an agent is at, and how much waits for it, for the person. */
export function viewWork(agent: Agent, ports: Ports): Pick<Row, "unread" | "on"> {
  const on = turnOf(agent, ports) ?? taskOf(agent, ports) ?? claimOf(agent, ports);
  return { unread: ports.views.inbox.depth(agent.id), ...(on === undefined ? {} : { on }) };
}

/** The newest of what its turn is at: the others were waiting for it, too. */
function turnOf({ id }: Agent, { views, now, wall }: Ports): Row["on"] {
  const turn = views.turns.open(id);
  const stored = turn?.deliveries.flatMap((seq) => views.messages.bySeq(seq) ?? []).at(-1);
  if (turn === undefined || stored === undefined) return undefined;
  const { from, fromName, content } = stored.data.message;
  return {
    kind: "turn",
    text: obligationText(content),
    for: addressNow(views, from, fromName, HUMAN_ID),
    since: iso(wall() + turn.started - now()),
  };
}

function taskOf({ id }: Agent, { views }: Ports): Row["on"] {
  const task = views.tasks.openOf(id).find(({ state }) => state !== "checking");
  if (task === undefined) return undefined;
  return {
    kind: "task",
    text: obligationText(task.prompt),
    for: addressNow(views, task.by, task.byName, HUMAN_ID),
    since: iso(task.startedAt ?? task.assignedAt),
  };
}

function claimOf({ id }: Agent, { views, now }: Ports): Row["on"] {
  if (views.work.countOf(id) === 0) return undefined;
  const claim = views.work.ownedBy(id).find(({ until }) => until > now());
  if (claim === undefined) return undefined;
  return { kind: "claim", text: obligationText(claim.task), for: null, since: iso(claim.since) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
