import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type ConfigFormat, type ConfigPath, ConfigProblem, isObject } from "./config-format.js";

const lenient = { allowTrailingComma: true };

/** JSON, also with comments and commas at the end. Around what is put in or taken out, every character stays. */
export const jsonConfig: ConfigFormat = {
  parse(text) {
    if (text.trim() === "") return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, lenient);
    const [error] = errors;
    if (error !== undefined) {
      const line = text.slice(0, error.offset).split("\n").length;
      throw new ConfigProblem(`${printParseErrorCode(error.error)} in line ${line}`);
    }
    if (isObject(value)) return value;
    throw new ConfigProblem("it is not an object");
  },
  set(text, path, value) {
    const start = text.trim() === "" ? "{}\n" : text;
    const root = parseTree(start, [], lenient);
    if (root === undefined) throw new ConfigProblem("it is empty");
    if (value === undefined) return remove(start, root, path);
    const there = findNodeAtLocation(root, [...path]);
    if (there !== undefined) {
      const fresh = render(value, start, indentAt(start, there.offset), isFlat(start, root));
      return start.slice(0, there.offset) + fresh + start.slice(there.offset + there.length);
    }
    return insert(start, root, path, value);
  },
};

/** Into the innermost object or list on the way that is there. */
function insert(text: string, root: Node, path: ConfigPath, value: unknown): string {
  let parent = root;
  let depth = 0;
  for (let next: Node | undefined = root; next !== undefined; depth++) {
    parent = next;
    next = findNodeAtLocation(root, path.slice(0, depth + 1));
  }
  const [key, ...inner] = path.slice(depth - 1);
  if (parent.type !== (typeof key === "number" ? "array" : "object"))
    throw new ConfigProblem(`${path.slice(0, depth - 1).join(".")} is not what it has to be`);
  const member = inner.reduceRight((whole: unknown, name) => ({ [name]: whole }), value);
  return addMember(text, parent, typeof key === "string" ? key : undefined, member);
}

function addMember(text: string, parent: Node, key: string | undefined, value: unknown): string {
  const isEmpty = parent.children?.length === 0;
  // An empty one says nothing about how its members would stand.
  const flat = isEmpty ? parent.parent !== undefined && !text.trim().includes("\n") : isFlat(text, parent);
  const eol = flat ? "" : lineEnd(text);
  const outer = indentAt(text, parent.offset);
  const [first, last] = [parent.children?.at(0), parent.children?.at(-1)];
  const own = first === undefined ? undefined : ownIndent(text, first.offset);
  const indent = flat ? "" : (own ?? outer + unitOf(text));
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${flat ? "" : " "}`;
  const member = `${eol}${indent}${name}${render(value, text, indent, flat)}`;
  if (last !== undefined) {
    const end = last.offset + last.length;
    const comma = commaAfter(text, end);
    const line = flat ? (comma ?? end) : commentEnd(text, comma ?? end);
    return comma === undefined
      ? `${text.slice(0, end)},${text.slice(end, line)}${member}${text.slice(line)}`
      : `${text.slice(0, line)}${member},${text.slice(line)}`;
  }
  const [open, close] = insideOf(parent);
  const inside = text.slice(open, close);
  // Comments that stand alone in it stay below.
  const rest = inside.trim() === "" ? eol + (flat ? "" : outer) : inside;
  return text.slice(0, open) + member + rest + text.slice(close);
}

/** What was put in leaves nothing behind. */
function remove(text: string, root: Node, path: ConfigPath): string {
  const value = findNodeAtLocation(root, [...path]);
  const member = value?.parent?.type === "property" ? value.parent : value;
  const siblings = member?.parent?.children;
  if (member === undefined || siblings === undefined) return text;
  const at = siblings.indexOf(member);
  const [before, next] = [siblings[at - 1], siblings[at + 1]];
  const end = member.offset + member.length;
  if (next !== undefined) return text.slice(0, member.offset) + text.slice(next.offset);
  const comma = commaAfter(text, end);
  if (before === undefined) {
    const [open, close] = insideOf(member.parent ?? root);
    const rest = text.slice(open, member.offset) + text.slice(comma ?? end, close);
    return text.slice(0, open) + (rest.trim() === "" ? "" : rest) + text.slice(close);
  }
  const last = before.offset + before.length;
  const between = text.slice(last, member.offset);
  // A comment behind the member before stays, and must not swallow the comma.
  if (between.replace(",", "").trim() === "") return text.slice(0, last) + text.slice(end);
  const kept = comma === undefined ? between.replace(",", "") : between;
  return text.slice(0, last) + kept.trimEnd() + text.slice(comma ?? end);
}

function insideOf({ offset, length }: Node): [open: number, close: number] {
  return [offset + 1, offset + length - 1];
}

/** One that stands in one line, as a program writes it. */
function isFlat(text: string, { offset, length }: Node): boolean {
  return !text.slice(offset, offset + length).includes("\n");
}

function render(value: unknown, text: string, indent: string, flat: boolean): string {
  if (flat) return JSON.stringify(value);
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", `${lineEnd(text)}${indent}`);
}

function commaAfter(text: string, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  return scanner.getTokenValue() === "," ? scanner.getPosition() : undefined;
}

/** Behind a comment in the same line. */
function commentEnd(text: string, offset: number): number {
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/.exec(text.slice(offset))?.[0] ?? "";
  return offset + comment.length;
}

/** The first line that is indented tells by how much. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}

function lineEnd(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** What the line begins with that has this character. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

/** The indent of what stands first in its line. */
function ownIndent(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return before.trim() === "" ? before : undefined;
}
