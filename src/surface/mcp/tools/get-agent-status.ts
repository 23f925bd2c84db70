import * as contract from "../../../contract/mcp/get-agent-status.js";
import { addressOf, teamOf } from "../../../hub/rules/address-of.js";
import { lastActive, shownWord } from "../../shown/shown-status.js";
import { uptimeSeconds } from "../../shown/uptime.js";
import { currentTasks } from "../current-tasks.js";
import { isOrchestrator } from "../roles.js";
import { defineTool } from "../tool.js";

const MOST = 200;

export const getAgentStatus = defineTool(contract.getAgentStatus, {
  isFor: isOrchestrator,
  run(_, { ports, me }) {
    const { views, wall, limits } = ports;
    const tasks = currentTasks(ports, me);
    const shown = views.roster
      .list({ limit: 10_000 })
      .filter(({ status, statusSince }) => status !== "dead" || wall() - statusSince < limits.showDeadMs);
    return {
      agents: shown.slice(0, MOST).map((agent) => {
        const task = tasks.get(agent.id);
        return {
          name: addressOf(views, agent, teamOf(views, me)),
          status: shownWord("tools", agent, ports),
          ...(task === undefined ? {} : { task_id: task.id ?? task.words }),
          messages_pending: views.inbox.depth(agent.id),
          requests_pending: views.requests.claimedCountOf(agent.id) + views.requests.openCountOf(agent.id),
          uptime_seconds: uptimeSeconds(agent, ports),
          last_activity: new Date(lastActive(agent, ports)).toISOString(),
        };
      }),
      ...(shown.length > MOST ? { omitted: shown.length - MOST } : {}),
    };
  },
});
