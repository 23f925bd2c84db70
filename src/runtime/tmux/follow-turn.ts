import { setTimeout as sleep } from "node:timers/promises";
import type { ScreenWait, TurnEnd, TurnListener } from "../runtime.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { exitedError, type Look, look, type Pane, readyTwiceMs } from "./pane.js";
import type { ScreenRule } from "./screen-rule.js";
import { throughCopyMode } from "./through-copy-mode.js";
import { agentWords, appended, transcriptAfter } from "./transcript.js";

/*
 * Watches a turn on the screen from its begin to its end. It ends when the pane is no longer busy and what stands above
 * its box no longer changes. A dialog belongs to the turn: it waits for the person.
 */

const quietMs = 400;
/** A command that it began shows no end yet: on a busy machine it may be a while until the CLI draws what comes of it, or asks about it. */
const runningMs = 10_000;
/** A turn that was never seen to work and has no output may not have begun yet. */
const unseenMs = 2000;
const slowestPollMs = 1000;
/** As many rows as a usage limit takes on a narrow screen. */
const LIMIT_ROWS = 6;

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
  const beginsWithinMs = Math.max(unseenMs, pane.rule.confirmMs);
  let worked = begun.reading.state === "busy";
  let responded = false;
  /** A dialog was there last: what was allowed in it may not show yet. */
  let resumes = false;
  let wasDialog = false;
  const hasBegun = () => isCancelled() || (!resumes && (worked || responded));
  let quiet = { since: 0, rows: "" };
  let words: string[] = [];
  let said = "";
  /** What a dialog said of a usage limit, and what the agent had said by then. */
  let limit: { words: string; said: string } | undefined;
  for (let now = begun; ; now = await look(pane)) {
    seen(now);
    const reading = throughCopyMode(pane, now);
    if (reading.state === "exited") throw exitedError(pane.id);
    const isGlimpse = reading.state === "dialog" && !wasDialog;
    wasDialog = reading.state === "dialog";
    if (isGlimpse) {
      // Half drawn, a screen has no box either, and all of it would be taken for the agent's words.
      await sleep(readyTwiceMs, undefined, { signal });
      continue;
    }
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
    if (reading.state === "dialog" && reading.asks?.atLimit !== undefined)
      limit = { words: reading.asks.words, said };
    if (reading.state === "dialog" || reading.state === "busy") resumes = reading.state === "dialog";
    waiting(reading.state === "dialog" ? { on: "dialog", words: reading.words } : undefined);

    const rows = transcript.join("\n").trimEnd();
    const idle = reading.state === "ready" || reading.state === "draft";
    if (!idle || quiet.rows !== rows || quiet.since === 0)
      quiet = { since: idle ? performance.now() : 0, rows };
    else if (
      performance.now() - quiet.since >=
      (hasBegun() ? restOf(pane.rule, transcript) : beginsWithinMs)
    ) {
      // Whoever had it try again may have been lucky.
      const atLimit = limit?.said === said ? limit.words : undefined;
      return endOfTurn(pane.rule, transcript, said.trim(), isCancelled(), atLimit);
    }
    const elapsed = performance.now() - startedAt;
    const { pollMs } = pane.times;
    await sleep(Math.max(pollMs, Math.min(slowestPollMs, pollMs * (elapsed / 10_000))), undefined, {
      signal,
    });
  }
}

/** How long a turn must rest until it is over. What an agent says may look like a command of its own: it ends later, but it ends. */
export function restOf({ marks, running }: ScreenRule, transcript: readonly string[]): number {
  const isEnd = (row: string) => marks.cancelled.test(row) || marks.failed.test(row);
  const last = transcript.findLast((row) => marks.output.test(row) || isEnd(row));
  return last !== undefined && running?.test(last) === true ? runningMs : quietMs;
}

/** How a turn ended, by the rows that it left above the box. */
export function endOfTurn(
  { cli, marks, forgetsCancelled }: ScreenRule,
  transcript: readonly string[],
  text: string,
  cancelled: boolean,
  atLimit?: string,
): TurnEnd {
  const at = transcript.findLastIndex((row) => marks.cancelled.test(row) || marks.failed.test(row));
  const last = transcript[at];
  if (cancelled || (last !== undefined && marks.cancelled.test(last)))
    return { stop: "cancelled", text, ...(forgetsCancelled === true ? { kept: false } : {}) };
  const { readLimit } = vendorOfCli(cli);
  const said = atLimit === undefined ? undefined : readLimit(atLimit, new Date());
  if (said !== undefined) return { stop: "error", text, error: said.words, limit: said };
  if (last === undefined) return { stop: "end_turn", text };
  // Its words go on in the rows below; the mark before them is the screen's.
  const rows = transcript.slice(at, at + LIMIT_ROWS).map((row) => row.trim());
  const words = rows.join("\n").replace(/^[■✕●⎿\s]+/u, "");
  const limit = readLimit(words, new Date());
  return { stop: "error", text, error: last.trim(), ...(limit === undefined ? {} : { limit }) };
}
