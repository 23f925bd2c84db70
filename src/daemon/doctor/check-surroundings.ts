import { existsSync } from "node:fs";
import type { Finding } from "../../model/finding.js";
import { hostedMarker, hostedVariable } from "../../runtime/process/environment.js";
import { findCommand } from "../../runtime/process/find-command.js";
import { listMarked } from "../../runtime/process/list-marked.js";
import { usedReferences } from "../config-comms.js";
import { hubMark } from "../hub-mark.js";
import { listSecrets } from "../secret-store/keep-secrets.js";
import type { Place } from "./place.js";

/**
 * Processes of agents that nobody drives: they outlived a hub, which the next one ends as it starts, those in panes excepted; or,
 * as a hub that runs can tell, they outlived their agent.
 */
export async function checkOrphans({ paths, isUp, isGone }: Place): Promise<Finding[]> {
  if ((isUp && isGone === undefined) || !existsSync(paths.data)) return [];
  const mark = hostedMarker(hubMark(paths.data), "");
  const ours = (await listMarked(hostedVariable)).filter(
    ({ pid, value }) => value.startsWith(mark) && pid !== process.pid && pid !== process.ppid,
  );
  const left = isGone === undefined ? ours : ours.filter(({ value }) => isGone(value.slice(mark.length)));
  if (left.length === 0)
    return [
      { check: "orphans", state: "ok", text: "No process was left behind by an agent or an earlier hub" },
    ];
  const pids = left.map(({ pid }) => pid);
  const which = left.length === 1 ? "A process" : `${left.length} processes`;
  const [without, fix] = isUp ? ["their agent", `kill ${pids.join(" ")}`] : ["a hub", "huddle up"];
  return [
    {
      check: "orphans",
      state: "problem",
      text: `${which} of agents ${left.length === 1 ? "runs" : "run"} without ${without} (pid ${pids.join(", ")})`,
      fix,
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
