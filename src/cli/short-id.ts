import { HubError } from "../model/errors.js";
import { escapeLine } from "./escape-text.js";

/*
 * Ids begin with their time, so those of one minute look alike: people read and type their ends. What a command takes is
 * found by its end or its beginning, as long as only one thing is meant.
 */

const SHOWN = 6;
/** Those of tasks and workflows begin with what they are. */
const LONG = /^(?:[a-z]+-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it is a whole id that Huddle gave. */
export function isId(given: string): boolean {
  return LONG.test(given);
}

/** Whether it may be the end of an id as it is shown, or more of it, rather than a word that somebody looks for or is called by. */
export function isIdPart(given: string): boolean {
  return given.length >= SHOWN && /^(?=.*\d)[0-9a-f-]{0,35}$/i.test(given);
}

/** The end of an id, as people see it; one that somebody chose is shown whole. */
export function shortId(id: string): string {
  return LONG.test(id) ? id.slice(-SHOWN) : escapeLine(id);
}

/** The same for each id in a text of our own. */
export function shortenIds(text: string): string {
  return text.replace(/\b(?:[a-z]+-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, shortId);
}

/** The id that is meant by its end; a whole one is not looked up. */
export async function findId(
  given: string,
  what: string,
  list: () => Promise<readonly string[]>,
): Promise<string> {
  return LONG.test(given) ? given : matchId(given, await list(), what);
}

/** The one of these that is meant; what is none of them stays as it was given, for the hub to say so. */
export function matchId(given: string, ids: readonly string[], what: string): string {
  if (given === "" || ids.includes(given)) return given;
  const wanted = given.toLowerCase();
  const ends = ids.filter((id) => id.toLowerCase().endsWith(wanted));
  const meant = ends.length > 0 ? ends : ids.filter((id) => id.toLowerCase().startsWith(wanted));
  if (meant.length > 1) {
    throw new HubError("INVALID_INPUT", `"${given}" is the end of ${meant.length} ${what}`, {
      hint: `Give more of it: ${meant.slice(0, 5).join(", ")}`,
    });
  }
  return meant[0] ?? given;
}
