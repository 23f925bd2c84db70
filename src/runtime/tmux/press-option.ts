import { setTimeout as sleep } from "node:timers/promises";
import { type Dialog, type DialogOption, isSameDialog } from "./dialog.js";
import { type Look, look, type Pane } from "./pane.js";
import { throughCopyMode } from "./through-copy-mode.js";
import { lookWithTyping, pressIfQuiet, type Typing } from "./typing.js";

/** How long a CLI may take to close a dialog, or to move the choice in it. */
const reactMs = 3000;
/** How long it may take in all: the person at the pane may be about to answer it there. */
const mostMs = 30_000;
const againMs = 100;

/** `gone`: it was not the same dialog any more, and nothing was pressed that decides. `kept`: it stands there still. */
export type Pressed = "done" | "gone" | "kept";

/**
 * Chooses an option of a dialog, if the very same dialog is still there. Each key is pressed after a look of its own, and only if nobody
 * pressed one since: they may have answered it, or moved the choice.
 */
export async function pressOption(pane: Pane, dialog: Dialog, option: DialogOption): Promise<Pressed> {
  const deadline = performance.now() + mostMs;
  while (performance.now() < deadline) {
    const now = await lookAt(pane, dialog);
    if (now === undefined) return "gone";
    const step = nextStep(pane, now.look, option);
    if (step === undefined) return "kept";
    const { key, from } = step;
    const { typing } = now;
    if (!typing.quiet || !(await pressIfQuiet(pane, typing, { key, screen: now.look.screen })))
      await sleep(againMs);
    else if (from === undefined) return untilGone(pane, dialog);
    else await untilMoved(pane, dialog, from);
  }
  return "kept";
}

/** The key that decides, or one that moves the choice `from` where it is. */
function nextStep(pane: Pane, { screen }: Look, { key, at }: DialogOption) {
  if (key !== undefined) return { key, from: undefined };
  const choice = pane.rule.readChoice?.(screen);
  if (choice === undefined) return undefined;
  if (choice.at === at) return { key: "Enter", from: undefined };
  return { key: choice.at < at ? choice.forward : choice.back, from: choice.at };
}

/** The dialog as it is now, and who types; undefined when it is another, or none. Copy mode would swallow the keys. */
async function lookAt(pane: Pane, dialog: Dialog): Promise<{ look: Look; typing: Typing } | undefined> {
  let now = await lookWithTyping(pane);
  if (now.look.reading.state === "copy-mode") {
    await pane.tmux.leaveMode(pane.id);
    now = await lookWithTyping(pane);
  }
  return asksOf(pane, now.look, dialog) ? now : undefined;
}

async function untilMoved(pane: Pane, dialog: Dialog, from: number): Promise<void> {
  const deadline = performance.now() + reactMs;
  do {
    await sleep(50);
    const now = await look(pane);
    if (!asksOf(pane, now, dialog) || pane.rule.readChoice?.(now.screen)?.at !== from) return;
  } while (performance.now() < deadline);
}

async function untilGone(pane: Pane, dialog: Dialog): Promise<Pressed> {
  const deadline = performance.now() + reactMs;
  do {
    await sleep(50);
    if (!asksOf(pane, await look(pane), dialog)) return "done";
  } while (performance.now() < deadline);
  return "kept";
}

function asksOf(pane: Pane, now: Look, dialog: Dialog): boolean {
  const reading = throughCopyMode(pane, now);
  return reading.state === "dialog" && reading.asks !== undefined && isSameDialog(reading.asks, dialog);
}
