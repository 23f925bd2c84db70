import { setTimeout as sleep } from "node:timers/promises";
import { assertNever } from "../../model/assert-never.js";
import { RuntimeError } from "../runtime.js";
import { exitedError, type Look, type Pane, readyTwiceMs, type SeenReady, shownOn } from "./pane.js";
import { lookWithTyping, type Typing } from "./typing.js";

type WaitReadyOptions = {
  /** Our own line, left in the box by an earlier attempt, counts as ready. */
  isOurs?: (look: Look) => boolean;
  /** Nothing moved since a line was put in without result: whatever it shows, it takes no input. */
  isStuck?: (look: Look) => boolean;
  /** Our line was taken after an earlier attempt had given it up: there is nothing to wait for. */
  isTaken?: (look: Look) => boolean;
  /** Another line of ours that an earlier attempt left in the box: it is taken out. */
  isLeft?: (look: Look) => boolean;
  /** Takes it out of what the person typed beside it, if it stands there. */
  takeOut?: (look: Look) => Promise<unknown>;
  /** How it looked when it was seen ready earlier: what looks the same, and did a while ago, needs no second look. */
  wasReady?: SeenReady | undefined;
  /** Told each time the pane was looked at and was not ready. */
  waiting?: (look: Look) => void;
  signal?: AbortSignal;
};

/** What only the person can end is waited for so long; then the prompt is given back, and the pane watched without it. */
const personMs = 3000;

/**
 * Resolves when the pane was ready twice in a row, to the second look and who typed then. Leaves copy mode; types nothing. Rejects with
 * HELD when it stays unready.
 */
export async function waitReady(
  pane: Pane,
  { isOurs, isStuck, isTaken, isLeft, takeOut, wasReady, waiting, signal }: WaitReadyOptions = {},
): Promise<{ look: Look; typing: Typing }> {
  const startedAt = performance.now();
  const options = signal === undefined ? {} : { signal };
  // Seen ready a moment ago, as at its start: that was the first look, and the second comes as long after it.
  const againMs = wasReady === undefined ? 0 : readyTwiceMs - (startedAt - wasReady.since);
  let readyBefore = againMs > 0 && againMs <= readyTwiceMs;
  if (readyBefore) await sleep(againMs, undefined, options);
  for (;;) {
    const { look: now, typing } = await lookWithTyping(pane);
    const { state } = now.reading;
    const takes = state === "ready" || (state === "draft" && isOurs?.(now) === true);
    const ready = takes && isStuck?.(now) !== true;
    if (isTaken?.(now) === true) return { look: now, typing };
    const sameForMs = shownOn(now) === wasReady?.shown ? performance.now() - wasReady.since : 0;
    if (ready && (readyBefore || sameForMs >= readyTwiceMs)) return { look: now, typing };
    readyBefore = ready;
    if (state === "exited") throw exitedError(pane.id);
    if (state === "copy-mode") await pane.tmux.leaveMode(pane.id);
    else if (!ready) {
      if (state === "draft" && isLeft?.(now) === true) await pane.tmux.sendKeys(pane.id, pane.rule.clearKey);
      else if (state === "draft") await takeOut?.(now);
      waiting?.(now);
      const isTheirs = !takes && (state === "draft" || state === "dialog");
      const limit = isTheirs ? personMs : pane.times.readyTimeoutMs;
      if (performance.now() - startedAt >= Math.min(limit, pane.times.readyTimeoutMs))
        throw heldError(pane, now);
    }
    const soonMs = Math.max(0, readyTwiceMs - sameForMs);
    await sleep(ready || state === "copy-mode" ? soonMs : pane.times.pollMs, undefined, options);
  }
}

function heldError(pane: Pane, { reading }: Look): RuntimeError {
  const words = reading.state === "dialog" ? reading.words : undefined;
  return new RuntimeError(
    "HELD",
    `Nothing was typed into pane ${pane.id}: ${reasonOf(reading)}`,
    words === undefined ? { state: reading.state } : { state: reading.state, words },
  );
}

function reasonOf(reading: Look["reading"]): string {
  switch (reading.state) {
    case "draft":
      return "the person has a draft in the input box";
    case "dialog":
      return `a dialog is open:\n${reading.words}`;
    case "busy":
      return "the agent is still working";
    case "starting":
      return "the agent has not drawn its screen yet";
    case "copy-mode":
      return "the pane stays in copy mode";
    case "ready":
      return "it does not react";
    case "exited":
      return "the agent ended";
    default:
      return assertNever(reading);
  }
}
