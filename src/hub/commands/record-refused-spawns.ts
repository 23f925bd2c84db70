import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import type { HubDecider } from "../context.js";
import { addressOf, teamOf } from "../rules/address-of.js";
import { notify } from "../rules/notify.js";

export type SpawnLimit = "HOSTED_LIMIT" | "DEPTH_LIMIT";

type RecordRefusedSpawns = { agent: AgentId; count: number; reason: SpawnLimit };

/** Tells the person of an agent that went on spawning at a limit: one notice, however often it was refused. */
export const recordRefusedSpawns: HubDecider<RecordRefusedSpawns, void> = (input, context) => {
  const { limits, views } = context;
  const agent = views.roster.byId(input.agent);
  if (agent === undefined) return decided([], undefined);
  const name = addressOf(views, agent, teamOf(views, HUMAN_ID));
  const why = {
    HOSTED_LIMIT: `this hub runs at most ${limits.hosted} agents (hosting.agents)`,
    DEPTH_LIMIT: `agents may spawn at most ${limits.depth} deep (agents.depth)`,
  }[input.reason];
  const wanted = input.count === 1 ? "an agent, which was" : `${input.count} agents, which were`;
  return decided(
    [
      notify(context, {
        to: [HUMAN_ID],
        type: "system",
        content:
          `Agent ${name} tried to spawn ${wanted} refused: ${why}. ` +
          `If it should not, end it: huddle kill ${name}`,
        attention: "queue",
        notice: "refused",
        metadata: { refused_spawns: input.count, agent: agent.name, reason: input.reason },
      }),
    ],
    undefined,
  );
};
