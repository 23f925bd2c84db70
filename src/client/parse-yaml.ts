import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { quoteValue } from "../model/quote-value.js";
import { escapeUnsafe } from "../model/unsafe-text.js";

const TOO_DEEP = "this is nested too deeply to be read";

export type Path = readonly PropertyKey[];

/** A problem, and how many characters into the text it is. */
type YamlProblem = { offset: number; message: string };

type Yaml = {
  /** Undefined when there are problems. */
  value: unknown;
  problems: readonly { at: string; message: string }[];
  /** `line:column` of the value at a path, of its key, or of the nearest thing above it that is there. */
  locate(path: Path, part: "key" | "value"): string;
};

/** One document of plain YAML: no aliases, so that nothing is longer or deeper than it looks, and no tags. */
export function parseYaml(text: string): Yaml {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
    const problems = findProblems(document, text);
    return {
      value: problems.length > 0 ? undefined : document.toJS(),
      problems: problems.map(({ offset, message }) => ({ at: at(offset), message })),
      locate: (path, part) => at(findOffset(document, path, part)),
    };
  } catch (error) {
    // The parser catches this itself; what walks its nodes does not: brackets by the thousand exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return { value: undefined, problems: [{ at: "1:1", message: TOO_DEEP }], locate: () => "1:1" };
  }
}

function findProblems(document: Document, text: string): YamlProblem[] {
  const problems: YamlProblem[] = [...document.errors, ...document.warnings].map((error) => ({
    offset: error.pos[0],
    message: explain(
      error.code,
      escapeUnsafe(error.message),
      text.slice(error.pos[0]).split(/[\s:]/, 1)[0] ?? "",
    ),
  }));
  visit(document, {
    Alias(_, alias) {
      const message = `*${escapeUnsafe(alias.source)} is an alias, which is not allowed here; write the value out`;
      problems.push({ offset: alias.range?.[0] ?? 0, message });
    },
    Pair(_, { key }) {
      if (isScalar(key)) return;
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
      problems.push({ offset, message: "a key must be a plain word" });
    },
  });
  return problems;
}

function explain(code: string, message: string, word: string): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return `${quoteValue(word)} is given twice; keep one of them`;
    case "TAB_AS_INDENT":
      return "a tab is used to indent; use spaces";
    case "MULTIPLE_DOCS":
      return "a second document starts here; keep one, without ---";
    case "TAG_RESOLVE_FAILED":
      return `${message}; remove the tag`;
    case "RESOURCE_EXHAUSTION":
      return TOO_DEEP;
    default:
      return `this is not valid YAML: ${message}`;
  }
}

function findOffset(document: Document, path: Path, part: "key" | "value"): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [index, name] of path.entries()) {
    if (isSeq(node)) {
      node = node.items[Number(name)];
      offset = startOf(node) ?? offset;
      continue;
    }
    if (!isMap(node)) return offset;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    if (pair === undefined) return offset;
    const wantsKey = part === "key" && index === path.length - 1;
    offset = (wantsKey ? undefined : startOf(pair.value)) ?? startOf(pair.key) ?? offset;
    node = pair.value;
  }
  return offset;
}

/** Undefined for a value that was left out, which YAML places just anywhere. */
function startOf(node: unknown): number | undefined {
  if (!isNode(node) || !node.range) return undefined;
  const [start, end] = node.range;
  return end > start ? start : undefined;
}
