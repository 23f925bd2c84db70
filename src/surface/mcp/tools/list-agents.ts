import * as contract from "../../../contract/mcp/list-agents.js";
import type { Agent } from "../../../model/agent.js";
import { quoteBlock } from "../../../model/others-words.js";
import { shownStatus, shownWord } from "../../shown/shown-status.js";
import { uptimeSeconds } from "../../shown/uptime.js";
import { currentTasks } from "../current-tasks.js";
import { defineTool, type ToolCall } from "../tool.js";

const PAGE = 50;

export const listAgents = defineTool(contract.listAgents, {
  run(input, call) {
    const tasks = currentTasks(call.ports);
    return page(call, input, (agent) => {
      const task = tasks.get(agent.id);
      return {
        name: agent.name,
        status: shownStatus(agent, call.ports).status,
        ...(agent.project === null ? {} : { project: quoteBlock(agent.project) }),
        ...(agent.team === "main" ? {} : { team: agent.team }),
        ...(agent.model === null ? {} : { model: quoteBlock(agent.model) }),
        ...(agent.backend === null ? {} : { backend: agent.backend }),
        ...(task === undefined ? {} : { current_task: task }),
      };
    });
  },
});

/** As the tabs' document has it. */
export const listAgentsOfTabs = defineTool(contract.listAgentsOfTabs, {
  run: (input, call) =>
    page(call, input, (agent) => ({
      name: agent.name,
      status: shownWord("tabs", agent, call.ports),
      project: agent.project === null ? null : quoteBlock(agent.project),
    })),
});

/** As the agents' document has it: whoever is not there is not listed. */
export const listAgentsOfAgents = defineTool(contract.listAgentsOfAgents, {
  run(input, call) {
    const tasks = currentTasks(call.ports);
    return page(call, input, (agent) => {
      const status = shownWord("tools", agent, call.ports);
      const task = tasks.get(agent.id);
      if (status === "dead") return undefined;
      return {
        name: agent.name,
        status,
        model: quoteBlock(agent.model ?? "unknown"),
        ...(task === undefined ? {} : { current_task: task }),
        uptime_seconds: uptimeSeconds(agent, call.ports),
      };
    });
  },
});

type Query = { team?: string | undefined; cursor?: string | undefined };

/** The dead are left out; a page may therefore be short and still have a next one. */
function page<Row>(
  { ports, caller }: ToolCall,
  { team, cursor: after = "" }: Query,
  row: (agent: Agent) => Row | undefined,
) {
  const found = ports.views.roster.list({ team, after, limit: PAGE + 1 });
  const agents = found.slice(0, PAGE);
  const next = found.length > PAGE ? agents.at(-1)?.name : undefined;
  return {
    agents: agents.filter(({ status }) => status !== "dead").flatMap((agent) => row(agent) ?? []),
    self: caller.kind === "agent" ? caller.agent.name : "user",
    ...(next === undefined ? {} : { next }),
  };
}
