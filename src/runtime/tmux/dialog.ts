import type { PermissionOption } from "../runtime.js";
import { isBlank, type Screen } from "./screen.js";

/*
 * A permission dialog as its CLI draws it. A vendor's rule says where it stands and what its options grant; a dialog that
 * no rule knows is the person's, and nobody else presses a key in it.
 */

export type Dialog = {
  tool: string;
  /** One line for people. */
  title: string;
  /** As `PermissionRequest.act`. */
  act: string;
  /** All that the dialog says, its options included. */
  words: string;
  /** Only those whose meaning is known. */
  options: readonly DialogOption[];
  /** It asks about one of Huddle's own tools: evidence that no agent can write. */
  ownTool?: true;
  /** Its vendor's usage limit is reached. This option ends the turn; all others try on, or change what the person set. */
  atLimit?: DialogOption;
};

export type DialogOption = {
  label: string;
  grants: PermissionOption["grants"];
  /** The key that chooses it; without one the choice is moved there, and confirmed by Enter. */
  key?: string;
  /** Its place among all options of the dialog. */
  at: number;
};

/** What is read of a dialog whose choice must be moved. */
export type Choice = { at: number; forward: string; back: string };

type Listed = { number: number; label: string };

export type NumberedOptions = {
  /** Its first row. */
  top: number;
  bottom: number;
  listed: readonly Listed[];
};

const numbered = /^[\s│]*(?:[❯›●>] )?\s*(\d)\. (\S.*?)[\s│█]*$/u;

/** The last list on the screen that counts from 1. A label that is too long goes on in rows of its own. */
export function findNumberedOptions(screen: Screen): NumberedOptions | undefined {
  for (let top = screen.rows.length - 1; top >= 0; top--) {
    if (numbered.exec(textAt(screen, top))?.[1] === "1") return readFrom(screen, top);
  }
  return undefined;
}

function textAt({ rows }: Screen, row: number): string {
  return rows[row]?.text ?? "";
}

function readFrom(screen: Screen, top: number): NumberedOptions | undefined {
  const listed: Listed[] = [];
  let row = top;
  for (; row < screen.rows.length; row++) {
    const text = textAt(screen, row);
    const [, number, label] = numbered.exec(text) ?? [];
    const last = listed.at(-1);
    if (number !== undefined && Number(number) === listed.length + 1)
      listed.push({ number: Number(number), label: plainRow(label ?? "") });
    else if (last !== undefined && /^[\s│]{5,}[^\s│]/u.test(text)) last.label += ` ${plainRow(text)}`;
    else break;
  }
  return listed.length < 2 ? undefined : { top, bottom: row - 1, listed };
}

/** What a label grants; undefined for options that do something else, such as opening an editor. */
type Grants = (label: string) => PermissionOption["grants"] | undefined;

export function numberedChoices({ listed }: NumberedOptions, grants: Grants): DialogOption[] {
  return listed.flatMap(({ number, label }) => {
    const granted = grants(label);
    return granted === undefined ? [] : [{ label, grants: granted, key: String(number), at: number - 1 }];
  });
}

/** A row without frame, scroll bar and blanks around it. */
export function plainRow(text: string): string {
  return text
    .replace(/^[\s│┃]+|[\s│█]+$/gu, "")
    .replace(/^[╭╰╌─]+[╮╯╌─]?$/u, "")
    .trim();
}

/** The rows from one to another that say something. */
export function plainRows(screen: Screen, from: number, to: number): string[] {
  return screen.rows
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ text }) => plainRow(text))
    .filter((text) => !isBlank(text));
}

/** Whether the same dialog is still there: what is chosen in it may have changed, what it asks may not. */
export function isSameDialog(one: Dialog, other: Dialog): boolean {
  const asked = ({ tool, title, words, options }: Dialog) => JSON.stringify([tool, title, words, options]);
  return asked(one) === asked(other);
}

/**
 * What kind of act a tool's name or a dialog's heading speaks of. Never `read`, which a policy may allow unasked: others' tools
 * choose their own names.
 */
export function actOf(heading: string): string {
  if (/\b(?:bash|shell|command|execute|run)\b/iu.test(heading)) return "execute";
  if (/\b(?:write|writefile|create|edit|update|change|replace|patch)/iu.test(heading)) return "edit";
  if (/\b(?:fetch|webfetch|web|search the web|network)/iu.test(heading)) return "fetch";
  return "other";
}
