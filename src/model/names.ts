import { HubError } from "./errors.js";
import { RESERVED_NAMES, reservedLike } from "./reserved-names.js";
import { replaceUnsafe } from "./unsafe-text.js";

export const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const TEAM_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;
const NAME_MAX = 64;

const RESERVED_TEAMS: ReadonlySet<string> = new Set(["ralph"]);

export function checkAgentName(name: string): void {
  if (!NAME_PATTERN.test(name)) {
    throw new HubError(
      "NAME_INVALID",
      `"${printable(name)}" is not a name: use 1 to 64 of a-z, 0-9, "_" and "-", starting with a letter or digit`,
      { pattern: NAME_PATTERN.source, ...withSuggestion(toName(name)) },
    );
  }
  const reserved = reservedLike(name);
  if (reserved === undefined) return;
  const suggestion = `${reserved}-agent`;
  const problem = reserved === name ? "is reserved" : `reads like "${reserved}", which is reserved`;
  throw new HubError("NAME_RESERVED", `"${name}" ${problem}; choose another name, such as "${suggestion}"`, {
    reserved: RESERVED_NAMES,
    suggestion,
  });
}

export function checkTeam(team: string): void {
  if (!TEAM_PATTERN.test(team)) {
    throw new HubError(
      "NAME_INVALID",
      `"${printable(team)}" is not a team: use a-z, 0-9 and "_", starting with a letter`,
      { pattern: TEAM_PATTERN.source },
    );
  }
  if (RESERVED_TEAMS.has(team)) {
    throw new HubError("NAME_RESERVED", `Team "${team}" is reserved; choose another`, {
      reserved: [...RESERVED_TEAMS],
      suggestion: `${team}_team`,
    });
  }
}

/** The wanted name, or the first of `name-2`, `name-3` … that nobody holds. */
export function firstFreeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const candidate = wanted.slice(0, NAME_MAX - suffix.length) + suffix;
    if (!isTaken(candidate)) return candidate;
  }
}

/** What was meant, as a legal name, if anything legal is left of it. */
export function toName(text: string): string | undefined {
  const slug = toSlug(text);
  return slug !== undefined && reservedLike(slug) === undefined ? slug : undefined;
}

/** The same for a part of a name: a folder may be called `admin`. */
export function toSlug(text: string): string | undefined {
  const slug = withoutMarks(text)
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "")
    .slice(0, NAME_MAX);
  return NAME_PATTERN.test(slug) ? slug : undefined;
}

/** What is plain already is left alone: the tables behind these two take a third of a megabyte of a small process. */
function withoutMarks(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}+/gu, "");
}

function withSuggestion(suggestion: string | undefined) {
  return suggestion === undefined ? {} : { suggestion };
}

function printable(text: string): string {
  return replaceUnsafe(text.slice(0, 80), () => "?");
}
