import type { z } from "zod";
import type { obligationRoutes } from "../../contract/http/obligations.js";
import { addressNow } from "../../hub/rules/address-of.js";
import { findAgent } from "../../hub/rules/find-agent.js";
import { type AgentId, HUMAN_ID, HUMAN_NAME } from "../../model/agent.js";
import { type Obligation, obligationText } from "../../model/obligation.js";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts } from "../ports.js";

/* Who owes what to whom, for whoever may know of it. */

type ObligationView = z.input<typeof obligationRoutes.list.response>["obligations"][number];
type Ports = Pick<HubPorts, "views" | "obligations">;

/** `of`: only what this agent owes, by an address. */
export async function listObligations(
  ports: Ports,
  caller: Caller,
  of: string | undefined,
): Promise<ObligationView[]> {
  const { views, obligations } = ports;
  const me = memberId(caller);
  const by = of === undefined ? undefined : of === HUMAN_NAME ? HUMAN_ID : findAgent(views, of, me).id;
  await obligations.caughtUp();
  return visibleTo(ports, caller, by).map((owed) => view(views, owed, me));
}

function visibleTo({ obligations }: Ports, caller: Caller, by: AgentId | undefined): Obligation[] {
  const me = memberId(caller);
  if (caller.kind === "operator" || (caller.kind === "agent" && caller.agent.role === "orchestrator")) {
    return obligations.list({ by });
  }
  if (by === undefined) return [...obligations.list({ by: me }), ...obligations.list({ to: me })];
  return obligations.list(by === me ? { by } : { by, to: me });
}

function view(views: Ports["views"], owed: Obligation, reader: AgentId): ObligationView {
  const { agent, to, toName, kind, ref, since, due, words } = owed;
  const isTheirs = reader === HUMAN_ID || reader === agent || reader === to;
  return {
    agent: addressNow(views, agent, agent, reader),
    to: to === null ? null : addressNow(views, to, toName ?? to, reader),
    kind,
    ref,
    since: new Date(since).toISOString(),
    due: due === null ? null : new Date(due).toISOString(),
    // A question is mail, and mail is for its two ends; everything else is announced or an orchestrator's business.
    text: kind !== "question" || isTheirs ? obligationText(words) : null,
  };
}
