import { HubError } from "./errors.js";
import { foldLine } from "./fold-line.js";
import { toName, toSlug } from "./names.js";
import { fitsPane } from "./pane-target.js";
import { RESERVED_NAMES, reservedLike } from "./reserved-names.js";
import { replaceUnsafe } from "./unsafe-text.js";

/* A label is what people read instead of an agent's name: free text on one line. */

const MOST = 80;

/** It must not pass for the person or the hub, in whatever letters. */
export function checkLabel(label: string): void {
  const shown = replaceUnsafe(Array.from(label).slice(0, MOST).join(""), () => "?");
  if (label.trim() === "" || shown !== label) {
    throw new HubError(
      "NAME_INVALID",
      `"${shown}" is not a label: use 1 to ${MOST} characters on one line, without control characters`,
    );
  }
  const reserved = reservedLike(toSlug(foldLine(label)) ?? "");
  if (reserved === undefined) return;
  throw new HubError("NAME_RESERVED", `The label "${shown}" reads like "${reserved}", which is reserved`, {
    reserved: RESERVED_NAMES,
    suggestion: `${reserved} agent`,
  });
}

/** The name that a label makes, if it makes one. In a pane a name has no more than one hyphen. */
export function nameOfLabel(label: string, { inPane }: { inPane: boolean }): string | undefined {
  const name = toName(label);
  if (name === undefined || !inPane || fitsPane(name)) return name;
  return name.replaceAll("-", "_");
}
