import { type AgentId, HUMAN_ID } from "../../model/agent.js";
import type { NewEvent } from "../../model/events.js";
import { quoteLine } from "../../model/others-words.js";
import type { HubContext } from "../context.js";
import { addressOf, teamOf } from "./address-of.js";
import { notify } from "./notify.js";

const COMMAND_MOST = 500;

/**
 * Tells the person what an agent was not let do in a turn, since its CLI could ask nobody, and how to allow it next time. Once
 * for each turn. Whoever chose `deny` wanted just that.
 */
export function tellRefused(context: HubContext, id: AgentId, refused: readonly string[]): NewEvent[] {
  const { views } = context;
  const agent = views.roster.byId(id);
  if (agent === undefined || refused.length === 0 || agent.permissions === "deny") return [];
  const name = addressOf(views, agent, teamOf(views, HUMAN_ID));
  const commands = refused.map((command) => `  "${quoteLine(command, COMMAND_MOST)}"`);
  const { backend } = agent;
  return [
    notify(context, {
      to: [HUMAN_ID],
      type: "system",
      content: [
        `Agent ${name} was not allowed to do this, and could ask nobody (${backend}, ${agent.runtime}):`,
        ...commands,
        `To be asked next time: huddle spawn ${backend} --runtime acp. To allow all: huddle spawn ${backend} --permissions allow-all.`,
      ].join("\n"),
      attention: "fyi",
      notice: "denied",
      metadata: { denied: name, commands: refused },
    }),
  ];
}
