import { existsSync, readFileSync } from "node:fs";
import { HubError } from "../model/errors.js";
import {
  type ConfigWorld,
  type Connection,
  isTextList,
  type Scope,
  type ServerCommand,
} from "../runtime/vendors/connection.js";
import { serverName } from "../runtime/vendors/vendor.js";
import { isObject, valueAt } from "./config-format.js";
import type { ConnectionsFile } from "./connections-file.js";
import type { Edit } from "./edits.js";
import { type FilePlan, formats, planFile } from "./plan-file.js";

/** What it takes to connect one CLI. */
export type ConnectionPlan = { connection: Connection; scope: Scope; server: FilePlan; hooks?: FilePlan };

export type PlanOptions = {
  scope: Scope;
  world: ConfigWorld;
  server: ServerCommand;
  /** The groups of hooks by event, for CLIs that have them; undefined when they are not wanted. */
  hooks: Readonly<Record<string, readonly unknown[]>> | undefined;
  state: ConnectionsFile;
};

/** Throws FILE_UNUSABLE for a file that cannot or must not be changed. */
export function planConnection(connection: Connection, options: PlanOptions): ConnectionPlan {
  const { scope, world, state } = options;
  const file = configFileOf(connection, scope, world);
  const path = entryPath(connection);
  const there = valueAt(readIfSound(connection, file), path);
  const value = mergeEntry(there, connection.entry(options.server));
  const server = planFile(
    {
      file,
      format: connection.format,
      what: ["server", ...connection.settings].join(", "),
      edits: [{ kind: "key", path, value }],
    },
    state,
  );
  const hooksFile = connection.hooksFile?.(world, scope);
  if (options.hooks === undefined || hooksFile === undefined) return { connection, scope, server };
  const hooks = planFile(
    {
      file: hooksFile,
      format: "json",
      what: `${Object.keys(options.hooks).length} hooks`,
      edits: hookEdits(options.hooks),
    },
    state,
  );
  return { connection, scope, server, hooks };
}

/** Where Huddle's entry stands. */
export function entryPath({ servers }: Connection): string[] {
  return [...servers, serverName];
}

export function filesOf({ server, hooks }: ConnectionPlan): FilePlan[] {
  return hooks === undefined ? [server] : [server, hooks];
}

/** The one that is there, or the first. */
export function configFileOf({ cli, files }: Connection, scope: Scope, world: ConfigWorld): string {
  const candidates = files[scope]?.(world) ?? [];
  const file = candidates.find((path) => existsSync(path)) ?? candidates[0];
  if (file !== undefined) return file;
  throw new HubError("INVALID_INPUT", `${cli} has no configuration of a project's own`, {
    hint: `Connect it for all projects: huddle connect ${cli}`,
  });
}

/** What the entry of Huddle in that file starts; undefined without one, or in a file that cannot be read. */
export function connectedServer(connection: Connection, file: string): ServerCommand | undefined {
  const entry = valueAt(readIfSound(connection, file), entryPath(connection));
  return isObject(entry) ? connection.readServer(entry) : undefined;
}

function hookEdits(hooks: NonNullable<PlanOptions["hooks"]>): Edit[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map((value) => ({ kind: "list" as const, path: ["hooks", event], value })),
  );
}

/** Also of files that are not ours to write, such as links. */
function readIfSound({ format }: Connection, file: string): unknown {
  try {
    return formats[format].parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Whoever plans to write there is told why not.
  }
}

const BRIDGE = /[\\/]mcp-bridge\.cjs$/;

/** An entry of Huddle's that people gave options, such as a name, keeps them. */
function mergeEntry(there: unknown, wanted: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isObject(there)) return { ...wanted };
  const merged: Record<string, unknown> = { ...there, ...wanted };
  for (const key of ["args", "command"]) {
    const [old, fresh] = [there[key], wanted[key]];
    if (!isTextList(old) || !isTextList(fresh)) continue;
    const bridge = old.findIndex((one) => BRIDGE.test(one));
    if (bridge !== -1) merged[key] = [...fresh, ...old.slice(bridge + 1)];
  }
  for (const key of ["env", "environment"]) {
    const [old, fresh] = [there[key], wanted[key]];
    if (isObject(old) && isObject(fresh)) merged[key] = { ...old, ...fresh };
  }
  return merged;
}
