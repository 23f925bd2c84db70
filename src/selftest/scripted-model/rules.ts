import { parseDirectives } from "./directives.js";
import { jsonValuesIn, textsIn, valueAt } from "./json-text.js";
import type { Script } from "./step.js";

/** What a rule's script is made from. */
type RuleMatch = {
  match: RegExpExecArray;
  /** The text as shown: a user's words or a tool's result. */
  shown: string;
  /** A value in the JSON of that text, such as `messages.0.id`. */
  find(path: string): unknown;
};

export type Rule = {
  pattern: RegExp;
  script: Script | ((match: RuleMatch) => Script);
  /** Only for requests that came by this lane. */
  lane: string | undefined;
};

/**
 * The script that a shown text starts. A rule that matches goes before the text's own directives: the test knows better.
 * Rules and directives are read again from the whole conversation at every request, so a script must not depend on when
 * it is asked.
 */
export function scriptFor(shown: string, rules: readonly Rule[], lane: string): Script | undefined {
  for (const { pattern, script, lane: only } of rules) {
    if (only !== undefined && only !== lane) continue;
    const match = firstMatch(pattern, textsIn(shown));
    if (match === undefined) continue;
    const find = (path: string) => valueAt(jsonValuesIn(shown), path);
    return typeof script === "function" ? script({ match, shown, find }) : script;
  }
  const steps = parseDirectives(shown);
  return steps.length === 0 ? undefined : steps;
}

function firstMatch(pattern: RegExp, texts: readonly string[]): RegExpExecArray | undefined {
  // Innermost first: there the text is as it was written.
  for (const text of [...texts].reverse()) {
    const match = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, "")).exec(text);
    if (match !== null) return match;
  }
  return undefined;
}
