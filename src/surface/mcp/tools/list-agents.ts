import * as contract from "../../../contract/mcp/list-agents.js";
import { addressOf, teamOf } from "../../../hub/rules/address-of.js";
import { DEFAULT_TEAM } from "../../../model/address.js";
import type { Agent } from "../../../model/agent.js";
import { quoteBlock } from "../../../model/others-words.js";
import { agentPage } from "../../shown/agent-page.js";
import { shownStatus, shownWord } from "../../shown/shown-status.js";
import { uptimeSeconds } from "../../shown/uptime.js";
import { currentTasks } from "../current-tasks.js";
import { defineTool, type ToolCall } from "../tool.js";

const PAGE = 50;

export const listAgents = defineTool(contract.listAgents, {
  run(input, call) {
    const tasks = currentTasks(call.ports, call.me);
    return page(call, input, (agent, name) => {
      const task = tasks.get(agent.id);
      return {
        name,
        status: shownStatus(agent, call.ports).status,
        ...(agent.project === null ? {} : { project: quoteBlock(agent.project) }),
        ...(agent.team === DEFAULT_TEAM ? {} : { team: agent.team }),
        ...(agent.model === null ? {} : { model: quoteBlock(agent.model) }),
        ...(agent.backend === null ? {} : { backend: agent.backend }),
        ...(task === undefined ? {} : { current_task: task.words }),
      };
    });
  },
});

/** As the tabs' document has it. */
export const listAgentsOfTabs = defineTool(contract.listAgentsOfTabs, {
  run: (input, call) =>
    page(call, input, (agent, name) => ({
      name,
      status: shownWord("tabs", agent, call.ports),
      project: agent.project === null ? null : quoteBlock(agent.project),
    })),
});

/** As the agents' document has it: whoever is not there is not listed. */
export const listAgentsOfAgents = defineTool(contract.listAgentsOfAgents, {
  run(input, call) {
    const tasks = currentTasks(call.ports, call.me);
    return page(call, input, (agent, name) => {
      const status = shownWord("tools", agent, call.ports);
      const task = tasks.get(agent.id);
      if (status === "dead") return undefined;
      return {
        name,
        status,
        model: quoteBlock(agent.model ?? "unknown"),
        ...(task === undefined ? {} : { current_task: task.words }),
        uptime_seconds: uptimeSeconds(agent, call.ports),
      };
    });
  },
});

type Query = { team?: string | undefined; cursor?: string | undefined };

/** The dead are left out; a page may therefore be short and still have a next one. */
function page<Row>(
  { ports, caller, me }: ToolCall,
  { team, cursor }: Query,
  row: (agent: Agent, address: string) => Row | undefined,
) {
  const { views } = ports;
  const readers = teamOf(views, me);
  const { page: agents, elsewhere, next } = agentPage(ports, { team, cursor, limit: PAGE });
  return {
    agents: agents
      .filter(({ status }) => status !== "dead")
      .flatMap((agent) => row(agent, addressOf(views, agent, readers)) ?? []),
    ...(elsewhere.length === 0 ? {} : { peers: elsewhere.map(({ name, status }) => ({ name, status })) }),
    self: caller.kind === "agent" ? caller.agent.name : "user",
    ...(next === null ? {} : { next }),
  };
}
