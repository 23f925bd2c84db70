import { homedir, hostname } from "node:os";
import { basename } from "node:path";
import { fullAddress } from "../model/address.js";
import { toName, toSlug } from "../model/names.js";
import { findClient } from "../runtime/vendors/clients.js";

export type Client = { name: string; version: string };

/** What the bridge registers. */
export type AgentDescription = {
  name: string;
  team: string | undefined;
  project: string;
  backend: string | undefined;
};

/** What its settings say of who it is to be. */
type Given = { name?: string | undefined; team?: string | undefined };

/** Leaves room for the number that makes it unique. */
const NAME_MAX = 60;

/** The name that was given; else the CLI and the folder of the project, such as `claude-shop`. */
export function describeAgent(client: Client, project: string, given: Given): AgentDescription {
  const known = findClient(client.name);
  const cli = known?.cli ?? toName(client.name.replace(/[-_ ]?(mcp[-_ ]?)?client.*$/i, "")) ?? "agent";
  const folder = project === homedir() ? undefined : toSlug(basename(project));
  const made = toName((folder === undefined ? cli : `${cli}-${folder}`).slice(0, NAME_MAX)) ?? "agent";
  return {
    name: given.name ?? made,
    team: given.team,
    project,
    backend: known?.vendor ?? (client.name || undefined),
  };
}

/** Same key, same agent: what must agree for a bridge to be the one that was there before. */
export function agentKey({ name, team, project }: AgentDescription, hub: string): string {
  return [hostname(), hub, team === undefined ? name : fullAddress({ team, name }), project].join("\n");
}
