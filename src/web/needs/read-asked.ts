import { z } from "zod";
import { type DiffLine, diffTexts, readUnified } from "./diff-lines.js";

/*
 * What an agent asks to do, out of the details that its CLI gave. Each CLI has a form of its own; what is not known here
 * is not left out but stands in `rest`, under its name.
 */

export type FileChange = {
  path: string;
  what: "edit" | "create" | "delete" | "write";
  lines: readonly DiffLine[];
};

export type Asked = {
  commands: readonly string[];
  changes: readonly FileChange[];
  /** What a screen says. */
  words: string | undefined;
  /** What "always" would mean, where the CLI says more than the option's label. */
  always: readonly string[];
  rest: readonly { name: string; text: string }[];
};

type Fields = Readonly<Record<string, unknown>>;
type Found = {
  commands: string[];
  changes: FileChange[];
  words: string | undefined;
  always: string[];
  rest: { name: string; text: string }[];
};

const fields = z.record(z.string(), z.unknown());
const text = z.string();
const diffContent = z.looseObject({
  type: z.literal("diff"),
  path: text,
  oldText: text.nullish(),
  newText: text,
});
const textContent = z.looseObject({
  type: z.literal("content"),
  content: z.looseObject({ type: z.literal("text"), text }),
});
const places = z.array(z.looseObject({ path: text, line: z.number().nullish() }));
const edits = z.array(z.looseObject({ old_string: text, new_string: text }));
const rule = z.looseObject({ toolName: text, ruleContent: text.optional() });
const rules = z.looseObject({ type: text, rules: z.array(rule).optional(), destination: text.optional() });

export function readAsked(details: unknown): Asked {
  const found: Found = { commands: [], changes: [], words: undefined, always: [], rest: [] };
  const several = z.array(fields).safeParse(details).data;
  const one = fields.safeParse(details).data;
  if (several !== undefined) for (const each of several) readUse(each, found);
  else if (one !== undefined) readDetails(one, found);
  else if (details !== null && details !== undefined)
    found.rest.push({ name: "details", text: toText(details) });
  return found;
}

/** Of a screen, of ACP, or of claude's and qwen's streams. */
function readDetails({ words, input, locations, content, always, ...others }: Fields, found: Found): void {
  if (typeof words === "string") found.words = words;
  else keep("words", words, found);
  readContent(content, locations, found);
  const known = fields.safeParse(input).data;
  if (known === undefined) keep("input", input, found);
  else readInput(known, found, places.safeParse(locations).data);
  readPlaces(locations, found);
  readAlways(always, found);
  readInput(others, found);
}

/** droid asks for several uses of tools at once. */
function readUse({ tool, input, ...others }: Fields, found: Found): void {
  keep("tool", tool, found);
  const known = fields.safeParse(input).data;
  if (known === undefined) keep("input", input, found);
  else readInput(known, found);
  for (const [name, value] of Object.entries(others)) keep(name, value, found);
}

function readContent(content: unknown, locations: unknown, found: Found): void {
  const all = z.array(z.unknown()).safeParse(content).data;
  if (all === undefined) {
    keep("content", content, found);
    return;
  }
  for (const part of all) {
    const diff = diffContent.safeParse(part).data;
    const said = textContent.safeParse(part).data;
    if (diff !== undefined) {
      const { path, oldText, newText } = diff;
      found.changes.push(changeOf(path, oldText ?? null, newText, lineOf(path, locations)));
    } else if (said !== undefined) keep("says", said.content.text, found);
    else keep("content", part, found);
  }
}

function readInput(input: Fields, found: Found, known?: unknown): void {
  const {
    command,
    file_path: path,
    old_string: before,
    new_string: after,
    content,
    edits: many,
    changes,
    ...others
  } = input;
  const rest: Record<string, unknown> = { ...others };
  if (typeof command === "string" && command !== "") found.commands.push(command);
  else if (isTexts(command)) found.commands.push(quoteArgv(command));
  else rest["command"] = command;
  const isPath = typeof path === "string";
  if (isPath && typeof before === "string" && typeof after === "string")
    addChange(changeOf(path, before, after, lineOf(path, known)), found);
  else if (isPath && typeof content === "string" && before === undefined && after === undefined)
    addChange({ ...changeOf(path, null, content), what: "write" }, found);
  else Object.assign(rest, { file_path: path, old_string: before, new_string: after, content });
  const listed = isPath ? edits.safeParse(many).data : undefined;
  if (isPath && listed !== undefined)
    for (const edit of listed) addChange(changeOf(path, edit.old_string, edit.new_string), found);
  else rest["edits"] = many;
  if (!readChanges(changes, found)) rest["changes"] = changes;
  for (const [name, value] of Object.entries(rest)) keep(name, value, found);
}

const changeForms = z.record(
  text,
  z.union([
    z.strictObject({ type: z.literal("update"), unified_diff: text, move_path: text.nullish() }),
    z.strictObject({ type: z.literal("add"), content: text }),
    z.strictObject({ type: z.literal("delete"), content: text }),
  ]),
);

/** codex tells of all files of a patch at once. Where diffs stand beside it, they say the same. */
function readChanges(changes: unknown, found: Found): boolean {
  const known = changeForms.safeParse(changes).data;
  if (known === undefined || Object.keys(known).length === 0) return false;
  for (const [path, change] of Object.entries(known)) {
    const isShown = found.changes.some((shown) => shown.path === path);
    if (isShown && !("move_path" in change && change.move_path)) continue;
    if (change.type === "update") {
      const moved = change.move_path ? `${path} → ${change.move_path}` : path;
      found.changes.push({ path: moved, what: "edit", lines: readUnified(change.unified_diff) });
    } else if (change.type === "add") found.changes.push(changeOf(path, null, change.content));
    else found.changes.push({ ...changeOf(path, change.content, ""), what: "delete" });
  }
  return true;
}

function changeOf(path: string, before: string | null, after: string, line?: number): FileChange {
  const lines = diffTexts(before ?? "", after, before === null ? 1 : line);
  return { path, what: before === null ? "create" : "edit", lines };
}

/** The same change in two forms is shown once. */
function addChange(change: FileChange, found: Found): void {
  const words = (one: FileChange) => one.lines.map(({ kind, text: line }) => `${kind} ${line}`).join("\n");
  const isShown = found.changes.some((shown) => shown.path === change.path && words(shown) === words(change));
  if (!isShown) found.changes.push(change);
}

function lineOf(path: string, locations: unknown): number | undefined {
  return places.safeParse(locations).data?.find((place) => place.path === path)?.line ?? undefined;
}

/** Where it happens, unless a change says so already. */
function readPlaces(locations: unknown, found: Found): void {
  const known = places.safeParse(locations).data;
  if (known === undefined) {
    keep("locations", locations, found);
    return;
  }
  const told = new Set(found.changes.map(({ path }) => path));
  const others = known.filter(({ path }) => !told.has(path));
  for (const { path, line } of others) keep("place", line == null ? path : `${path}:${line}`, found);
}

function readAlways(always: unknown, found: Found): void {
  const all = z.array(z.unknown()).safeParse(always).data;
  if (all === undefined) {
    keep("always", always, found);
    return;
  }
  for (const one of all) {
    const known = rules.safeParse(one).data;
    const named = known?.rules ?? [];
    const into = known?.destination === undefined ? "" : ` (kept in ${known.destination})`;
    if (known?.type === "addRules" && named.length > 0)
      found.always.push(
        ...named.map(({ toolName, ruleContent }) =>
          ruleContent === undefined ? `${toolName}${into}` : `${toolName}(${ruleContent})${into}`,
        ),
      );
    else found.always.push(toText(one));
  }
}

function keep(name: string, value: unknown, found: Found): void {
  if (value === undefined || value === null || value === "") return;
  const shown = toText(value);
  if (found.rest.some((one) => one.name === name && one.text === shown)) return;
  found.rest.push({ name, text: shown });
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}

function isTexts(value: unknown): value is string[] {
  return z.array(text).min(1).safeParse(value).success;
}

/** As one would type it. A shell that is given a script shows the script. */
export function quoteArgv(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
