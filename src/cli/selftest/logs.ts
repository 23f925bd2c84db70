import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../client/make-folder.js";
import { resolvePaths } from "../../client/paths.js";
import type { HubLink } from "../../selftest/hub-link.js";
import type { Place } from "../../selftest/place.js";
import type { RowPlan } from "../../selftest/row.js";
import type { ScriptedModel } from "../../selftest/scripted-model/scripted-model.js";

/** What a run leaves behind when it is told to: how each failure looked, what the models were asked, and the hub's log. */
export type SelftestLogs = {
  folder: string;
  failure(row: RowPlan, behaviour: string, hub: HubLink, agent: string, model: ScriptedModel): Promise<void>;
  end(place: Place, model: ScriptedModel): void;
};

export function openLogs(parent: string, now: Date): SelftestLogs {
  makeFolder(parent);
  const folder = join(parent, `selftest-${now.toISOString().replaceAll(/[:.]/g, "-")}`);
  mkdirSync(folder, { mode: 0o700 });
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  return {
    folder,
    async failure({ backend, runtime, lane }, behaviour, hub, agent, model) {
      const client = hub.operator();
      // Whatever can still be seen of it.
      const [shown, screen, turns] = await Promise.all([
        client.showAgent(agent).then(pretty, String),
        runtime === "tmux" ? client.screen(agent).then(({ text }) => text, String) : "it has none",
        client.turns(agent).then(pretty, String),
      ]);
      const parts = { agent: shown, screen, turns, "model requests": model.requests.describe(lane) };
      const text = Object.entries(parts).map(([title, part]) => `== ${title}\n${part}`);
      write(`${backend}-${runtime}-${behaviour}.txt`, text.join("\n\n"));
    },
    end({ huddleHome, home }, model) {
      const { hubLog } = resolvePaths({ HUDDLE_HOME: huddleHome }, home);
      if (existsSync(hubLog)) copyFileSync(hubLog, join(folder, "hub.log"));
      write("model.txt", `${model.paths.join("\n")}\n\n${model.requests.describe()}`);
    },
  };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
