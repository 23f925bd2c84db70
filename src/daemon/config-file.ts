import { readFileSync, statSync } from "node:fs";
import { type Path, parseYaml } from "../client/parse-yaml.js";
import type { ConfigProblem } from "./config-problem.js";
import { type ConfigTree, isTree } from "./config-tree.js";

const LARGEST = 1024 * 1024;

type ConfigFile = {
  /** Empty without a file, and when it has problems. */
  tree: ConfigTree;
  problems: ConfigProblem[];
  /** `file:line:column` */
  locate(path: Path, part: "key" | "value"): string;
};

/** No file means no settings. A file that cannot be used means a problem, never no settings. */
export function readConfigFile(file: string): ConfigFile {
  const empty: ConfigFile = { tree: {}, problems: [], locate: () => file };
  const refuse = (message: string): ConfigFile => ({ ...empty, problems: [{ where: file, message }] });
  let text: string;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return empty;
    if (!stats.isFile()) return refuse("is not a file; remove it, or write the settings into a file there");
    if (stats.size > LARGEST) return refuse(`is larger than 1MiB, which no configuration needs`);
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof TypeError) return refuse("is not UTF-8 text; save it as UTF-8");
    return refuse(`cannot be read (${reason}); check who owns it: ls -l ${file}`);
  }
  const { value, problems, locate } = parseYaml(text);
  const found: ConfigFile = {
    tree: isTree(value) ? value : {},
    problems: problems.map(({ at, message }) => ({ where: `${file}:${at}`, message })),
    locate: (path, part) => `${file}:${locate(path, part)}`,
  };
  const isEmpty = value === undefined || value === null;
  if (!isEmpty && !isTree(value)) {
    found.problems.push({
      where: `${file}:1:1`,
      message: `must hold keys, such as "port: 9223", not ${kindOf(value)}`,
    });
  }
  return found;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : "a single value";
}
