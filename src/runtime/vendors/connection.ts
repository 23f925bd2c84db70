/*
 * How a vendor's CLI that a person starts is told of Huddle's MCP server: in which file, where in it, and with which settings.
 * Data only. `huddle connect` writes it, and docs/connecting.md says the same by hand.
 */

export type Scope = "user" | "project";

/** The program that a CLI starts as Huddle's MCP server. */
export type ServerCommand = {
  command: string;
  args: readonly string[];
  /** What it needs beyond the little that some CLIs pass on. */
  env: Readonly<Record<string, string>>;
};

/** Where a CLI looks for its files. */
export type ConfigWorld = {
  home: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
};

type ConfigEntry = Readonly<Record<string, unknown>>;

export type Connection = {
  /** What people call it, and write behind `huddle connect`. */
  cli: string;
  label: string;
  /** The program that is looked for on PATH. */
  program: string;
  install: string;
  format: "json" | "toml";
  /** Where its servers stand in the file; Huddle's is below that, under its name. */
  servers: readonly string[];
  /** The file of each scope; of several, the first that is there, or the first. Without a project's, it has none. */
  files: {
    user: (world: ConfigWorld) => readonly string[];
    project?: (world: ConfigWorld) => readonly string[];
  };
  entry(server: ServerCommand): ConfigEntry;
  /** What of the entry is more than the command, for people. */
  settings: readonly string[];
  /** What an entry starts; undefined when it is none that starts a program. */
  readServer(entry: ConfigEntry): ServerCommand | undefined;
  /** Arguments of its own command that registers for all projects, where that says all of the entry and keeps the file as it is. */
  register?(server: ServerCommand): readonly string[];
  /** The file that has its hooks, where it can be handed mail by them. */
  hooksFile?(world: ConfigWorld, scope: Scope): string;
};

/** `{command, args, env}`, as most of them have it. */
export function plainEntry({ command, args, env }: ServerCommand): ConfigEntry {
  return { command, args: [...args], ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }) };
}

export function readPlainEntry({ command, args = [], env = {} }: ConfigEntry): ServerCommand | undefined {
  if (typeof command !== "string" || !isTextList(args) || !isTextMap(env)) return undefined;
  return { command, args, env };
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function isTextMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((one) => typeof one === "string")
  );
}

/** A folder that a variable may put elsewhere. */
export function folderOf(named: string | undefined, usual: string): string {
  return named === undefined || named === "" ? usual : named;
}
