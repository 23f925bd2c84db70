import type { Dialog } from "./dialog.js";
import { compact, isBlank, type Screen } from "./screen.js";
import { type InputBox, type ScreenRule, textOf } from "./screen-rule.js";

/*
 * What a screen says, in the order in which it is asked: the command is a shell → `exited`; a person scrolls back →
 * `copy-mode`; no input box → `dialog`, or `starting` while nothing is drawn yet; a sign of a turn → `busy`; text in the
 * box → `draft`; else `ready`. Ready thus needs positive evidence, and a caller asks for it twice.
 */

export type Reading =
  | { state: "exited" | "starting" }
  | { state: "copy-mode"; box: InputBox | undefined }
  /** `asks`: what is known of it, if it is a permission dialog that its vendor's rule can read. */
  | { state: "dialog"; words: string; asks: Dialog | undefined }
  | { state: "busy" | "draft" | "ready"; box: InputBox };

const shells: ReadonlySet<string> = new Set(
  "sh bash zsh fish dash ksh mksh ash tcsh csh nu pwsh elvish xonsh login su sudo".split(" "),
);

export function isShell(command: string): boolean {
  return shells.has(command.replace(/^-/, ""));
}

export function readScreen(rule: ScreenRule, screen: Screen): Reading {
  if (screen.dead || isShell(screen.command)) return { state: "exited" };
  const box = rule.findBox(screen);
  if (screen.inMode) return { state: "copy-mode", box };
  if (box === undefined) {
    const words = dialogWords(screen);
    return words === "" ? { state: "starting" } : { state: "dialog", words, asks: rule.readDialog(screen) };
  }
  if (rule.isBusy(screen, box)) return { state: "busy", box };
  if (box.special || !rule.isEmpty(screen, box)) return { state: "draft", box };
  return { state: "ready", box };
}

/** What a dialog says, for a person. */
export function dialogWords(screen: Screen): string {
  return plainWords(screen.rows.map(({ text }) => text));
}

/** The last rows that say something, without frames. */
export function plainWords(rows: readonly string[]): string {
  return rows
    .map((text) => text.replace(/[\u2500-\u257f\u2580-\u259f]+/gu, " ").trim())
    .filter((text) => !isBlank(text))
    .slice(-14)
    .join("\n");
}

export function boxText(box: InputBox): string {
  return compact(box.content.map(textOf).join(""));
}
