import { HubError } from "../model/errors.js";
import { nearest } from "../model/nearest.js";
import { quoteValue } from "../model/quote-value.js";

/** One slip in a file can be followed by thousands of complaints, and nobody reads those. */
const MOST_SHOWN = 20;

/** One thing that is wrong with the configuration: where, in which key if in one, and what to write instead. */
export type ConfigProblem = { where: string; key?: string; message: string };

export function configInvalid(problems: readonly ConfigProblem[], options?: ErrorOptions): HubError {
  const lines = problems
    .slice(0, MOST_SHOWN)
    .map(({ where, key, message }) =>
      key === undefined ? `${where}: ${message}` : `${where}: ${printable(key)}: ${message}`,
    );
  const [first = ""] = lines;
  if (problems.length > MOST_SHOWN) lines.push(`and ${problems.length - MOST_SHOWN} more`);
  return new HubError(
    "CONFIG_INVALID",
    lines.length === 1
      ? `The configuration is wrong: ${first}`
      : `The configuration has ${problems.length} problems:\n  ${lines.join("\n  ")}`,
    { problems: problems.slice(0, MOST_SHOWN) },
    options,
  );
}

/** What to say of a key that does not exist. */
export function unknownKey(key: string, known: readonly string[]): string {
  if (known.includes(key)) {
    const [name, ...above] = key.split(".").reverse();
    return `is a path, and YAML takes it for one name; write ${name}: on its own line, indented below ${above.reverse().join(".")}:`;
  }
  const meant = nearest(key, known) ?? misplaced(key, known) ?? nearest(key, sectionsOf(known));
  return meant === undefined
    ? "is not a known key; `huddle config show` lists them"
    : `is not a known key; did you mean ${meant}?`;
}

function sectionsOf(known: readonly string[]): string[] {
  const sections = known.map((key) => key.slice(0, Math.max(0, key.lastIndexOf("."))));
  return [...new Set(sections)].filter((section) => section !== "");
}

/** The one key of that name, written without its section or in another. */
function misplaced(key: string, known: readonly string[]): string | undefined {
  const alike = known.filter((candidate) => lastName(candidate) === lastName(key));
  return alike.length === 1 ? alike[0] : undefined;
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function printable(key: string): string {
  return /^[\w.-]{1,80}$/.test(key) ? key : quoteValue(key);
}
