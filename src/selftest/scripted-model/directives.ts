import { readJsonPrefix, stringsIn } from "./json-text.js";
import type { Step } from "./step.js";

/*
 * Directives stand anywhere in a text, so that a prompt, an envelope around it or a tool's result can carry them:
 *
 *   <<say TEXT>>  <<think TEXT>>  <<echo>>
 *   <<call TOOL {"json":"arguments"}>>  <<shell COMMAND>>  <<ask COMMAND>>  <<write PATH TEXT>>
 *   <<stream CHUNKS [MS]>>  <<wait MS>>  <<hold NAME>>  <<error STATUS [TIMES]>>  <<limit SECONDS [TIMES]>>
 *
 * The JSON of a call may hold directives of its own: mail that makes its reader do something.
 */

const opening = /<<(say|think|echo|call|shell|ask|write|stream|wait|hold|error|limit)\b[ ]?/y;

type Found = { step: Step; end: number };

/** The directives of a text in order, those in strings of JSON included: what a tool returned is wrapped in it. */
export function parseDirectives(text: string): Step[] {
  return scan(text).steps;
}

/** What is left of a text without its directives. */
export function withoutDirectives(text: string): string {
  return scan(text).rest.trim();
}

function scan(text: string): { steps: Step[]; rest: string } {
  const steps: Step[] = [];
  let rest = "";
  for (let at = 0; at < text.length; ) {
    const found = directiveAt(text, at);
    if (found !== undefined) {
      steps.push(found.step);
      at = found.end;
      continue;
    }
    const json = readJsonPrefix(text.slice(at));
    if (json !== undefined) steps.push(...stringsIn(json.value).flatMap(parseDirectives));
    const length = json?.length ?? 1;
    rest += text.slice(at, at + length);
    at += length;
  }
  return { steps, rest };
}

function directiveAt(text: string, at: number): Found | undefined {
  if (text[at] !== "<") return undefined;
  opening.lastIndex = at;
  const match = opening.exec(text);
  return match === null ? undefined : readDirective(match[1] ?? "", text, opening.lastIndex);
}

function readDirective(word: string, text: string, start: number): Found | undefined {
  if (word === "call") return readCall(text, start);
  const close = text.indexOf(">>", start);
  if (close < 0) return undefined;
  const step = toStep(word, text.slice(start, close).trim());
  return step === undefined ? undefined : { step, end: close + 2 };
}

function readCall(text: string, start: number): Found | undefined {
  const name = /^([\w.-]+)\s*/.exec(text.slice(start));
  if (name?.[1] === undefined) return undefined;
  const at = start + name[0].length;
  if (text.startsWith(">>", at))
    return { step: { kind: "call", calls: [{ tool: name[1], args: {} }] }, end: at + 2 };
  const json = readJsonPrefix(text.slice(at));
  if (json === undefined || !isObject(json.value)) return undefined;
  const after = /^\s*>>/.exec(text.slice(at + json.length));
  if (after === null) return undefined;
  const step: Step = { kind: "call", calls: [{ tool: name[1], args: json.value }] };
  return { step, end: at + json.length + after[0].length };
}

function toStep(word: string, rest: string): Step | undefined {
  const [first = "", ...others] = rest.split(/\s+/);
  const number = (value: string | undefined, otherwise: number) =>
    value === undefined || value === "" ? otherwise : Number(value);
  switch (word) {
    case "say":
    case "think":
      return { kind: word, text: rest };
    case "echo":
      return { kind: "echo" };
    case "shell":
      return { kind: "shell", command: rest };
    case "ask":
      return { kind: "shell", command: rest, ask: true };
    case "write":
      return { kind: "write", path: first, text: rest.slice(first.length).trimStart() };
    case "stream":
      return { kind: "stream", chunks: number(first, 10), everyMs: number(others[0], 100) };
    case "wait":
      return { kind: "wait", ms: number(first, 1000) };
    case "hold":
      return { kind: "hold", name: first };
    case "error":
      return { kind: "error", status: number(first, 500), times: number(others[0], Infinity) };
    case "limit":
      return {
        kind: "limit",
        resetsInSeconds: number(first, 3600),
        times: number(others[0], Infinity),
      };
    default:
      return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
