import type { z } from "zod";
import type { handoffBody } from "../contract/http/handoff.js";
import type { AgentId } from "../model/agent.js";
import { passRequests } from "./pass-requests.js";
import type { HubPorts } from "./ports.js";
import { reaching } from "./reaching.js";

/** So many of what the agent owes have a line of their own. */
const OWED_MOST = 20;

type Ports = Pick<HubPorts, "execute" | "obligations" | "views" | "peers">;

/** Hands over what an agent is on, by itself or by the person for it. */
export async function handOff(
  ports: Ports,
  { by, agent }: { by: AgentId; agent: AgentId },
  body: z.output<typeof handoffBody>,
) {
  const { execute, obligations } = ports;
  await obligations.caughtUp();
  const { lines, more } = obligations.remaining(agent, [], OWED_MOST);
  const owes = more === 0 ? lines : [...lines, `${more} more`];
  const { passed, ...receipt } = await reaching(ports, body.to, async (to) =>
    execute("handOff", {
      by,
      agent,
      owes,
      ...body,
      to,
      passedThere: await passRequests(ports, { by, agent, to }),
    }),
  );
  return {
    delivered: true as const,
    target: receipt.target,
    message_id: receipt.messageId,
    seq: receipt.seq,
    state: receipt.state,
    ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
    delayed_ms: receipt.delayedMs,
    passed,
  };
}
