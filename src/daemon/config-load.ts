import type { z } from "zod";
import type { Path } from "../client/parse-yaml.js";
import { readConfigFile } from "./config-file.js";
import { type ConfigKey, isSection, listKeys } from "./config-keys.js";
import { type Override, parseOverrides } from "./config-overrides.js";
import { type ConfigProblem, configInvalid, unknownKey } from "./config-problem.js";
import { configSchema, type HubConfig } from "./config-schema.js";
import { type ConfigTree, isTree, putAt, valueAt } from "./config-tree.js";

export type ConfigSources = {
  file: string;
  /** Each `key=value`, later ones over earlier ones, all of them over the file. */
  overrides?: readonly string[];
};

export type Origin = "default" | "file" | "--set";
/** Where each key's value comes from, by its dotted name. */
export type Origins = Readonly<Record<string, Origin>>;

type LoadedConfig<Config> = { config: Config; origins: Origins };

export function loadConfig(sources: ConfigSources): LoadedConfig<HubConfig> {
  return loadConfigAs(configSchema, sources);
}

/** Reads the file, lays the overrides over it and decodes; throws one CONFIG_INVALID that names every problem. */
export function loadConfigAs<S extends z.ZodObject>(
  schema: S,
  { file, overrides: texts = [] }: ConfigSources,
): LoadedConfig<z.infer<S>> {
  const keys = listKeys(schema);
  const fromFile = readConfigFile(file);
  const { overrides, problems: badOverrides } = parseOverrides(texts, keys);
  const { tree } = fromFile;
  fillSections(schema, tree);
  const origins = Object.fromEntries(keys.map(({ key, path }) => [key, originOf(path, tree, overrides)]));
  for (const { path, value } of overrides) putAt(tree, path, value);

  const decoded = schema.safeParse(tree);
  const problems = [...fromFile.problems, ...badOverrides];
  if (!decoded.success) {
    const where = (path: Path, part: "key" | "value") =>
      overrides.findLast((override) => startsWith(path, override.path))?.where ?? fromFile.locate(path, part);
    problems.push(...decoded.error.issues.flatMap((issue) => describeIssue(issue, keys, where)));
  }
  if (!decoded.success || problems.length > 0) throw configInvalid(problems, { cause: decoded.error });
  return { config: decoded.data, origins };
}

/** A section that is absent, or whose lines are all commented out, is an empty one. */
function fillSections(section: z.ZodObject, tree: ConfigTree): void {
  for (const [name, schema] of Object.entries(section.shape)) {
    if (!isSection(schema)) continue;
    if (!Object.hasOwn(tree, name) || tree[name] === null) tree[name] = {};
    const inner = tree[name];
    if (isTree(inner)) fillSections(schema, inner);
  }
}

function originOf(path: readonly string[], fromFile: ConfigTree, overrides: readonly Override[]): Origin {
  if (overrides.some((override) => startsWith(override.path, path))) return "--set";
  return valueAt(fromFile, path) === undefined ? "default" : "file";
}

function describeIssue(
  issue: z.core.$ZodIssue,
  keys: readonly ConfigKey[],
  where: (path: Path, part: "key" | "value") => string,
): ConfigProblem[] {
  const nameOf = (path: Path) => path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") {
    return [{ where: where(issue.path, "value"), key: nameOf(issue.path), message: issue.message }];
  }
  return issue.keys.map((name) => {
    const path = [...issue.path, name];
    const key = nameOf(path);
    const known = keys.map((candidate) => candidate.key);
    return { where: where(path, "key"), key, message: unknownKey(key, known) };
  });
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((name, index) => path[index] === name);
}
