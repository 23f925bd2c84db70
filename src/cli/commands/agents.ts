import type { AgentList } from "../../client/hub-client.js";
import type { DefineCommand } from "../define-command.js";
import { escapeLine } from "../escape-text.js";
import { listAllAgents } from "../list-all-agents.js";
import type { Colors } from "../output.js";
import { relativeTime } from "../relative-time.js";
import { statusCell } from "../status-glyph.js";
import { renderTable } from "../table.js";

type Agents = AgentList["agents"];

const HEADER = ["NAME", "STATUS", "TEAM", "PROJECT", "BACKEND", "LAST ACTIVE"];

export const define: DefineCommand = (command, act) => {
  command.option("--team <team>", "only those of this team").action(({ team }: { team?: string }) =>
    act(async (cli) => {
      const agents = await listAllAgents(await cli.client(), team);
      cli.output.result({ agents }, () => {
        if (agents.length > 0) return render(agents, cli.io.now(), cli.output.colors);
        return team === undefined
          ? "No agents yet. Start one: huddle spawn claude-code"
          : `No agent is in team "${escapeLine(team)}".`;
      });
    }),
  );
};

function render(agents: Agents, now: number, colors: Colors): string {
  return renderTable(
    HEADER.map((text) => ({ text, paint: colors.dim })),
    agents.map((agent) => [
      { text: escapeLine(agent.name), paint: colors.bold },
      statusCell(agent.status, colors),
      escapeLine(agent.team),
      escapeLine(agent.project ?? "–"),
      escapeLine(agent.backend ?? "–"),
      relativeTime(Date.parse(agent.lastActive), now),
    ]),
  );
}
