import { existsSync } from "node:fs";
import type { Finding } from "../../model/finding.js";
import { hostedMarker, hostedVariable } from "../../runtime/process/environment.js";
import { findCommand } from "../../runtime/process/find-command.js";
import { listMarked } from "../../runtime/process/list-marked.js";
import { usedReferences } from "../config-comms.js";
import { hubMark } from "../hub-mark.js";
import { listSecrets } from "../secret-store/keep-secrets.js";
import type { Place } from "./place.js";

/** Agents that outlived a hub that is gone. The next hub ends them as it starts, those in panes excepted. */
export async function checkOrphans({ paths, isUp }: Place): Promise<Finding[]> {
  if (isUp || !existsSync(paths.data)) return [];
  const ours = (await listMarked(hostedVariable)).filter(
    ({ pid, value }) =>
      value.startsWith(hostedMarker(hubMark(paths.data), "")) && pid !== process.pid && pid !== process.ppid,
  );
  if (ours.length === 0)
    return [{ check: "orphans", state: "ok", text: "No agent was left behind by an earlier hub" }];
  const pids = ours.map(({ pid }) => pid).join(", ");
  return [
    {
      check: "orphans",
      state: "problem",
      text: `${ours.length === 1 ? "A process" : `${ours.length} processes`} of agents run without a hub (pid ${pids})`,
      fix: "huddle up",
    },
  ];
}

export function checkTmux(): Finding[] {
  const found = findCommand("tmux", { path: process.env["PATH"] ?? "", cwd: "/" });
  if (found !== undefined) return [{ check: "tmux", state: "ok", text: found }];
  const fix = process.platform === "darwin" ? "brew install tmux" : "sudo apt-get install tmux";
  return [{ check: "tmux", state: "note", text: "not installed: agents cannot run in panes", fix }];
}

/** Secrets that the configuration names, and whether there is a keychain. Without one, files are as good. */
export async function checkSecrets({ paths, config }: Place): Promise<Finding[]> {
  if (config === undefined) return [];
  const places = { configFolder: paths.config, env: process.env };
  const { secrets, noKeychain } = await listSecrets(usedReferences(config["agent-comms"]), places);
  const unusable = secrets.flatMap(({ name, problem, usedBy }): Finding[] =>
    problem === undefined || usedBy.length === 0
      ? []
      : [
          {
            check: "secrets",
            state: "problem",
            text: `${usedBy.join(", ")}: ${problem}`,
            fix: `huddle secret set ${name}${noKeychain === undefined ? "" : " --store file"}`,
          },
        ],
  );
  if (unusable.length > 0) return unusable;
  const text =
    noKeychain === undefined
      ? "The keychain answers"
      : `No keychain answers (${noKeychain}): secrets go into files`;
  return [{ check: "keychain", state: noKeychain === undefined ? "ok" : "note", text }];
}
