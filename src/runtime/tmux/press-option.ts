import { setTimeout as sleep } from "node:timers/promises";
import { type Dialog, type DialogOption, isSameDialog } from "./dialog.js";
import { type Look, look, type Pane } from "./pane.js";
import { throughCopyMode } from "./through-copy-mode.js";

/** How long a CLI may take to close a dialog, or to move the choice in it. */
const reactMs = 3000;
const mostMoves = 20;

/** `gone`: it was not the same dialog any more, and nothing was pressed that decides. `kept`: it stands there still. */
export type Pressed = "done" | "gone" | "kept";

/** Chooses an option of a dialog, if the very same dialog is still there. Each key is pressed after a look of its own. */
export async function pressOption(pane: Pane, dialog: Dialog, option: DialogOption): Promise<Pressed> {
  const first = await lookAt(pane, dialog);
  if (first === undefined) return "gone";
  if (option.key === undefined) return moveAndConfirm(pane, dialog, option);
  await pane.tmux.sendKeys(pane.id, option.key);
  return untilGone(pane, dialog);
}

async function moveAndConfirm(pane: Pane, dialog: Dialog, option: DialogOption): Promise<Pressed> {
  for (let moves = 0; moves <= mostMoves; moves++) {
    const now = await lookAt(pane, dialog);
    const choice = now && pane.rule.readChoice?.(now.screen);
    if (choice === undefined) return now === undefined ? "gone" : "kept";
    if (choice.at === option.at) {
      await pane.tmux.sendKeys(pane.id, "Enter");
      return untilGone(pane, dialog);
    }
    await pane.tmux.sendKeys(pane.id, choice.at < option.at ? choice.forward : choice.back);
    const deadline = performance.now() + reactMs;
    while (performance.now() < deadline) {
      await sleep(50);
      const moved = await lookAt(pane, dialog);
      if (moved === undefined) return "gone";
      if (pane.rule.readChoice?.(moved.screen)?.at !== choice.at) break;
    }
  }
  return "kept";
}

/** The dialog as it is now; undefined when it is another, or none. Copy mode would swallow the keys. */
async function lookAt(pane: Pane, dialog: Dialog): Promise<Look | undefined> {
  let now = await look(pane);
  if (now.reading.state === "copy-mode") {
    await pane.tmux.leaveMode(pane.id);
    now = await look(pane);
  }
  return asksOf(pane, now, dialog) ? now : undefined;
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
