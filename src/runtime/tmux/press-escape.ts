import { setTimeout as sleep } from "node:timers/promises";
import { look, type Pane, shownOn } from "./pane.js";

const againMs = 1500;
const mostAgain = 2;
const betweenMs = 300;

/**
 * Cancels the turn that runs, if one does. An Escape that came while the CLI was drawing may be lost, so it is pressed again where the
 * screen shows that the turn went on. One that stands still hangs, and has the first still to read: the next would meet an idle screen,
 * where two in a row empty the box of what the person typed, or open something. Resolves when the first was pressed, or tmux did not
 * answer: it is asked again.
 */
export async function cancelByEscape(pane: Pane, isOpen: () => boolean): Promise<void> {
  const shown = await pressEscape(pane, undefined);
  void pressAgain(pane, isOpen, shown);
}

async function pressAgain(pane: Pane, isOpen: () => boolean, first: string | undefined): Promise<void> {
  let shown = first;
  for (let again = 0; again < mostAgain; ) {
    await sleep(againMs);
    if (!isOpen()) return;
    const now = await pressEscape(pane, shown);
    if (now === shown) continue;
    shown = now;
    again += 1;
  }
}

/** Not on a screen that is as it was `before`, nor where nothing runs. Resolves to what is shown. */
async function pressEscape(pane: Pane, before: string | undefined): Promise<string | undefined> {
  const now = await look(pane).catch(() => undefined);
  if (now === undefined) return before;
  const { reading } = now;
  // Some show that they work in their title only.
  const shown = `${now.screen.title}\n${shownOn(now)}`;
  if (
    shown === before ||
    reading.state === "exited" ||
    reading.state === "ready" ||
    reading.state === "draft"
  )
    return shown;
  try {
    if (reading.state === "copy-mode") await pane.tmux.leaveMode(pane.id);
    const presses = reading.state === "dialog" ? 1 : pane.rule.escapes;
    for (let n = 0; n < presses; n++) {
      // Two that are read together are another key: copilot took no notice of them 100 ms apart.
      if (n > 0) await sleep(betweenMs);
      await pane.tmux.sendKeys(pane.id, "Escape");
    }
  } catch {
    // It may have been pressed all the same: what the screen shows next tells.
  }
  return shown;
}
