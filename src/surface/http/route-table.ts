import { LRUCache } from "lru-cache";
import type { RouteContract } from "../../contract/http/route.js";

type RouteMatch<T> = { target: T; params: Readonly<Record<string, string>> };

/** Which route a request is for, by method and path. Routes are few and known at start, so a short list per length does. */
export type RouteTable<T> = {
  add(route: Pick<RouteContract, "method" | "path">, target: T): void;
  find(method: string | undefined, path: string): RouteMatch<T> | undefined;
  /** All of them, as "METHOD /path". */
  names(): string[];
};

type Entry<T> = { parts: readonly string[]; target: T };

const REMEMBERED = 1000;

export function createRouteTable<T>(): RouteTable<T> {
  const entries = new Map<string, Entry<T>[]>();
  /** Agents ask for the same few paths over and over. */
  const found = new LRUCache<string, RouteMatch<T>>({ max: REMEMBERED });
  return {
    add({ method, path }, target) {
      const parts = path.split("/");
      const key = `${method} ${parts.length}`;
      // Literal parts first: `/api/agents/broadcast` is not an agent's name.
      const list = [...(entries.get(key) ?? []), { parts, target }];
      entries.set(
        key,
        list.sort((a, b) => countParams(a.parts) - countParams(b.parts)),
      );
    },
    names: () =>
      [...entries].flatMap(([key, list]) =>
        list.map(({ parts }) => `${key.slice(0, key.indexOf(" "))} ${parts.join("/")}`),
      ),
    find(method, path) {
      const asked = `${method} ${path}`;
      const before = found.get(asked);
      if (before !== undefined) return before;
      const parts = path.split("/");
      const entry = entries
        .get(`${method} ${parts.length}`)
        ?.find(({ parts: wanted }) => matches(wanted, parts));
      if (entry === undefined) return undefined;
      const match = { target: entry.target, params: paramsOf(entry.parts, parts) };
      found.set(asked, match);
      return match;
    },
  };
}

function countParams(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith(":")).length;
}

/** Whether a path is one of this pattern: a name in it is never empty. */
export function matchesPattern(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return wanted.length === given.length && matches(wanted, given);
}

function matches(wanted: readonly string[], given: readonly string[]): boolean {
  return wanted.every((part, i) => part === given[i] || (part.startsWith(":") && given[i] !== ""));
}

function paramsOf(wanted: readonly string[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  wanted.forEach((part, i) => {
    if (part.startsWith(":")) params[part.slice(1)] = decodePart(given[i] ?? "");
  });
  return params;
}

/** What cannot be decoded is taken as it stands, and then refused for what it says. */
function decodePart(part: string): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
