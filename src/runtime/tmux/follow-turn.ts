import { setTimeout as sleep } from "node:timers/promises";
import type { ScreenWait, TurnEnd, TurnListener } from "../runtime.js";
import { exitedError, type Look, look, type Pane } from "./pane.js";
import { throughCopyMode } from "./through-copy-mode.js";
import { agentWords, appended, transcriptAfter } from "./transcript.js";

/*
 * Watches a turn on the screen from its begin to its end. It ends when the pane is no longer busy and what stands above
 * its box no longer changes. A dialog belongs to the turn: it waits for the person.
 */

const quietMs = 400;
/** A turn that was never seen to work and has no output may not have begun yet. */
const unseenMs = 2000;
const slowestPollMs = 1000;

type FollowOptions = {
  tag: string;
  listener: TurnListener;
  /** The agent's words as the screen shows them, as they are added. */
  output: (text: string) => void;
  waiting: (on: ScreenWait | undefined) => void;
  /** Told of every look. */
  seen: (look: Look) => void;
  isCancelled: () => boolean;
  signal: AbortSignal;
};

export async function followTurn(pane: Pane, begun: Look, options: FollowOptions): Promise<TurnEnd> {
  const { tag, listener, output, waiting, seen, isCancelled, signal } = options;
  const startedAt = performance.now();
  let worked = begun.reading.state === "busy";
  let responded = false;
  let quiet = { since: 0, rows: "" };
  let words: string[] = [];
  let said = "";
  for (let now = begun; ; now = await look(pane)) {
    seen(now);
    const reading = throughCopyMode(pane, now);
    if (reading.state === "exited") throw exitedError(pane.id);
    const transcript = transcriptAfter(
      pane.rule,
      now.screen,
      "box" in reading ? reading.box : undefined,
      tag,
    );
    const wordsNow = agentWords(pane.rule, transcript);
    if (!responded && (wordsNow.length > 0 || (reading.state === "dialog" && worked))) {
      responded = true;
      listener.responding();
    }
    const added = appended(words, wordsNow);
    if (added !== "") output(added);
    said += added;
    words = wordsNow;
    worked ||= reading.state === "busy" || reading.state === "dialog";
    waiting(reading.state === "dialog" ? { on: "dialog", words: reading.words } : undefined);

    const rows = transcript.join("\n").trimEnd();
    const idle = reading.state === "ready" || reading.state === "draft";
    if (!idle || quiet.rows !== rows || quiet.since === 0)
      quiet = { since: idle ? performance.now() : 0, rows };
    else if (performance.now() - quiet.since >= (worked || responded || isCancelled() ? quietMs : unseenMs)) {
      return endOf(pane, transcript, said.trim(), isCancelled());
    }
    const elapsed = performance.now() - startedAt;
    const { pollMs } = pane.times;
    await sleep(Math.max(pollMs, Math.min(slowestPollMs, pollMs * (elapsed / 10_000))), undefined, {
      signal,
    });
  }
}

function endOf(pane: Pane, transcript: readonly string[], text: string, cancelled: boolean): TurnEnd {
  const { marks } = pane.rule;
  const last = transcript.findLast((row) => marks.cancelled.test(row) || marks.failed.test(row));
  if (cancelled || (last !== undefined && marks.cancelled.test(last))) return { stop: "cancelled", text };
  return last === undefined ? { stop: "end_turn", text } : { stop: "error", text, error: last.trim() };
}
