import type { ToolsetName } from "../../model/toolset.js";
import { type Caller, memberId } from "../caller/auth.js";
import type { HubPorts, SurfaceLimits } from "../ports.js";
import { sayDurations } from "./say-durations.js";
import type { Tool } from "./tool.js";
import { toolsets } from "./toolsets.js";

type Definition = Pick<Tool, "name" | "description" | "inputSchema" | "annotations">;

/** The tools that one kind of caller has, as they are listed and by name. */
export type Definitions = {
  list(caller: Caller): Definition[];
  find(name: string): Tool | undefined;
  names: readonly string[];
  /** Whether the list names the caller's own session. */
  isPersonal: boolean;
};

type PrepareDefinitions = (set: ToolsetName, caller: Caller) => Definitions;

const OWN_SESSION = "{session}";

/** Made once for each set and role: making a list from schemas costs more than everything else about a call. */
export function createDefinitions(ports: HubPorts): PrepareDefinitions {
  const prepared = new Map<string, Definitions>();
  return (set, caller) => {
    const key = `${set} ${caller.kind === "agent" ? caller.agent.role : caller.kind}`;
    const known =
      prepared.get(key) ??
      prepare(
        toolsets[set].filter((tool) => tool.isFor(caller, ports)),
        ports.limits,
      );
    prepared.set(key, known);
    return known;
  };
}

function prepare(tools: readonly Tool[], limits: SurfaceLimits): Definitions {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = tools.map(({ name, description, inputSchema, annotations }) => ({
    name,
    description,
    inputSchema: sayDurations(inputSchema, limits),
    annotations,
  }));
  const isPersonal = tools.some(({ description }) => description.includes(OWN_SESSION));
  const names = [...byName.keys()];
  return {
    names,
    isPersonal,
    find: (name) => byName.get(name),
    list: (caller) =>
      isPersonal
        ? list.map((tool) => ({
            ...tool,
            description: tool.description.replaceAll(OWN_SESSION, memberId(caller)),
          }))
        : list,
  };
}
