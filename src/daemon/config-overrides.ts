import { parseYaml } from "../client/parse-yaml.js";
import { quoteValue } from "../model/quote-value.js";
import type { ConfigKey } from "./config-keys.js";
import { type ConfigProblem, unknownKey } from "./config-problem.js";

/** One `--set key=value`; the path may lead into the inner shape of a structured key. */
export type Override = { where: string; path: readonly string[]; value: unknown };

export function parseOverrides(
  texts: readonly string[],
  keys: readonly ConfigKey[],
): { overrides: Override[]; problems: ConfigProblem[] } {
  const overrides: Override[] = [];
  const problems: ConfigProblem[] = [];
  for (const text of texts) {
    const result = parseOverride(text, keys);
    if ("message" in result) problems.push(result);
    else overrides.push(result);
  }
  return { overrides, problems };
}

function parseOverride(text: string, keys: readonly ConfigKey[]): Override | ConfigProblem {
  const equals = text.indexOf("=");
  // Somebody may have written the secret itself where only its place belongs.
  const where = `--set ${quoteValue(/secret/i.test(text) && equals > 0 ? `${text.slice(0, equals)}=…` : text)}`;
  if (equals < 1) return { where, message: "write it as key=value, such as --set port=9300" };
  const key = text.slice(0, equals).trim();
  const path = key.split(".");
  // The one name that would reach out of the object it is put into.
  const leadsOut = path.includes("__proto__");
  if (leadsOut || !keys.some((known) => key === known.key || key.startsWith(`${known.key}.`))) {
    return { where, key, message: describeUnknown(key, keys) };
  }
  const { value, problems } = parseYaml(text.slice(equals + 1));
  const [problem] = problems;
  return problem === undefined ? { where, path, value } : { where, key, message: problem.message };
}

function describeUnknown(key: string, keys: readonly ConfigKey[]): string {
  const inside = keys.find((known) => known.key.startsWith(`${key}.`));
  if (inside !== undefined) return `is a section; set one of its keys, such as ${inside.key}`;
  return unknownKey(
    key,
    keys.map((known) => known.key),
  );
}
