import { setTimeout as sleep } from "node:timers/promises";
import { RuntimeError } from "../runtime.js";
import { findTag, tagCount } from "./find-tag.js";
import {
  exitedError,
  type Look,
  look,
  lookUntil,
  type Pane,
  readyTwiceMs,
  type SeenReady,
  shownOn,
} from "./pane.js";
import { pasteLine } from "./paste-line.js";
import { boxText } from "./read-screen.js";
import { compact } from "./screen.js";
import { holdsBeside, takeOut } from "./take-out.js";
import { isSameTyping, pasteIfQuiet, pressIfQuiet, readTyping, type Typing } from "./typing.js";
import { waitReady } from "./wait-ready.js";

/*
 * Gets one line into a pane and sent, in steps:
 *   waiting   until the input box is empty, no turn runs and nobody types; holds while the person has a draft or a dialog to answer
 *   pasted    until the box shows exactly this line
 *   sent      Enter, once or twice, until the line left the box and a turn began: only that is `confirmed`
 * An attempt has `timeoutMs`, and there are `retryCount` of them; Enter is pressed again sooner where the line just stands
 * there. It is pasted once. A second attempt, here or in a later call that finds the line in the box, only presses Enter; one that
 * finds it above the box is through: a CLI that is slow may take a line long after Enter. Paste and
 * Enter happen only if no key was pressed since the look before (`typing.ts`), and Enter never on anything but this line in the box:
 * from what the person typed beside it, it is taken out again. A CLI that hangs shows that late, so after a key the screen must change
 * first. What cannot be told is `unconfirmed`, never success.
 */

type Injection =
  | { kind: "confirmed"; look: Look }
  /** `held`: it was certainly not sent, and what is in the way is the person's. */
  | Unconfirmed;

type Unconfirmed = {
  kind: "unconfirmed";
  where: "box" | "nowhere";
  held: boolean;
  why: string;
  look: Look;
  /** The box never showed it, and no Enter was pressed. */
  lost?: true;
};

/**
 * A line that was put in without result. With `screen`: what the pane showed then, which must change before the next paste. `tags`: how
 * often its tag stood above the box then. `lost`: the box never showed it.
 */
export type LeftLine = { line: string; screen: string | undefined; tags: number; lost?: boolean };

const enterAgainMs = 2000;
const boxPollMs = 60;
/** Most lines are shown, and taken, at once: the first looks after paste and Enter follow each other faster than the polls do. */
const firstBoxLookMs = 15;
const firstLookMs = 25;

type InjectOptions = {
  line: string;
  tag: string;
  left?: LeftLine | undefined;
  wasReady?: SeenReady | undefined;
  /** It is not sent before that, by `performance.now()`. */
  sendAfter?: number | undefined;
  /** It is of no use any more. */
  isRead?: (() => boolean) | undefined;
  signal?: AbortSignal;
  waiting?: (look: Look) => void;
};

export async function inject(pane: Pane, options: InjectOptions): Promise<Injection> {
  const line = pasteLine(options.line);
  if (!line.startsWith(options.tag))
    throw new RuntimeError(
      "NOT_TAKEN",
      "The line does not begin with its tag, by which the pane confirms it",
    );
  const isOurs = ({ reading }: Look) => holdsExactly(reading, line);

  const { left } = options;
  const isStuck = (now: Look) => left?.screen !== undefined && shownOn(now) === left.screen;
  const isTaken = (now: Look) => left?.line === line && isTakenLate(now, left, options.tag);
  const isLeft = (now: Look) => left !== undefined && left.line !== line && holdsRestOf(now, left.line);

  const takeOutLeft = async (now: Look) =>
    left !== undefined && holdsBeside(now, left.line) && takeOut(pane, left.line);

  const { before, typing } = await pasteOnce(pane, line, {
    ...options,
    isOurs,
    isStuck,
    isTaken,
    isLeft,
    takeOut: takeOutLeft,
  });
  if (isTaken(before)) return { kind: "confirmed", look: before };
  const seenBefore = tagsOn(before, options.tag);
  const isThere = (now: Look) =>
    isOurs(now) ||
    holdsBeside(now, line) ||
    isSent(now, options.tag, seenBefore) ||
    now.reading.state === "exited";
  const forMs = Math.max(pane.rule.boxMs, attemptsMs(pane));
  const pasted = await lookUntil(pane, isThere, { forMs, everyMs: boxPollMs, firstMs: firstBoxLookMs });
  if (pasted.reading.state === "exited") throw exitedError(pane.id);
  if (!isThere(pasted)) return notShown(pasted, options.tag, forMs);

  return send(pane, pasted, { ...options, line, seenBefore, typing });
}

/** Pastes as soon as the pane is ready and nobody types. What an earlier attempt left in the box is not pasted again. */
async function pasteOnce(
  pane: Pane,
  line: string,
  options: InjectOptions &
    Parameters<typeof waitReady>[1] & { isOurs: (look: Look) => boolean; isTaken: (look: Look) => boolean },
): Promise<{ before: Look; typing: Typing }> {
  const deadline = performance.now() + pane.times.readyTimeoutMs;
  for (;;) {
    const { look: before, typing } = await waitReady(pane, options);
    if (options.isTaken(before) || options.isOurs(before)) return { before, typing };
    if (options.isRead?.() === true) throw readError(pane);
    if (typing.quiet && (await pasteIfQuiet(pane, typing, line))) return { before, typing };
    if (performance.now() >= deadline)
      throw new RuntimeError("HELD", `Nothing was typed into pane ${pane.id}: somebody is typing there`, {
        state: "draft",
      });
    await sleep(pane.times.pollMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

async function send(
  pane: Pane,
  pasted: Look,
  options: InjectOptions & { seenBefore: number; typing: Typing },
): Promise<Injection> {
  const { line, tag, seenBefore, isRead } = options;
  const { times, rule } = pane;
  let { typing } = options;
  let noticed = typing;
  /** Who had typed when Enter was last pressed. */
  let entered: Typing | undefined;
  /** The screen as a key of theirs was noticed. Until it changes, it may not show what they typed. */
  let unseen: string | undefined;
  const againMs = Math.min(enterAgainMs, times.timeoutMs);
  let now = pasted;
  const settleMs = Math.max(rule.settleMs, (options.sendAfter ?? 0) - performance.now());
  if (settleMs > 0) {
    await sleep(settleMs);
    now = await look(pane);
  }
  let presses = 0;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = firstLookMs;
  let wasGone = false;
  const timeoutMs = Math.max(attemptsMs(pane), rule.confirmMs);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (now.reading.state === "exited") throw exitedError(pane.id);
    const held = findTag(now.screen, boxOf(now), tag) === "box";
    // The person may have pressed Enter on it.
    const begun = presses > 0 ? hasBegun(now, tag, seenBefore) : isSent(now, tag, seenBefore);
    if (!held && begun) {
      if (boxOf(now) !== undefined || wasGone) return { kind: "confirmed", look: now };
      // Half drawn, a screen shows the line and no box around it.
      wasGone = true;
      await sleep(readyTwiceMs);
      now = await look(pane);
      continue;
    }
    wasGone = false;
    if (shownOn(now) !== unseen) unseen = undefined;
    const late = performance.now() >= deadline;
    if (held && presses === 0 && isRead?.() === true && (await takeOut(pane, line))) throw readError(pane);
    if (held && !late && presses < times.retryCount && performance.now() >= pressedAt + againMs) {
      if (now.reading.state === "copy-mode") await pane.tmux.leaveMode(pane.id);
      else if (mayPress(now, line, entered !== undefined && isSameTyping(typing, entered))) {
        if (
          unseen === undefined &&
          (await pressIfQuiet(pane, typing, { key: "Enter", screen: now.screen }))
        ) {
          presses += 1;
          entered = typing;
          pressedAt = performance.now();
          pauseMs = firstLookMs;
        } else {
          const later = await readTyping(pane);
          if (!isSameTyping(later, noticed)) [unseen, noticed] = [shownOn(now), later];
          // Until nobody types, what was is kept, and nothing can be pressed.
          if (later.quiet) typing = later;
        }
      } else if (holdsBeside(now, line) && (await takeOut(pane, line))) {
        return unconfirmed(
          now,
          "nowhere",
          true,
          "somebody typed at the same time; the line was taken out again",
        );
      }
    }
    if (late) return outOfTime(now, { held, presses, timeoutMs, isUnseen: unseen !== undefined });
    await sleep(Math.min(times.pollMs, pauseMs));
    pauseMs *= 2;
    now = await look(pane);
  }
}

function readError({ id }: Pane): RuntimeError {
  return new RuntimeError("HELD", `Nothing was typed into pane ${id}: the agent has read it`);
}

/** The line stands in the transcript once more than before. */
function isSent(now: Look, tag: string, seenBefore: number): boolean {
  return findTag(now.screen, boxOf(now), tag) !== "box" && tagsOn(now, tag) > seenBefore;
}

/** A line that was put in without result has left the box since, and stands in the transcript. Without a box nothing is known yet. */
export function isTakenLate(now: Look, { tags }: LeftLine, tag: string): boolean {
  return boxOf(now) !== undefined && isSent(now, tag, tags);
}

/** How often the tag stands above the box. */
export function tagsOn(now: Look, tag: string): number {
  return tagCount(now.screen, boxOf(now), tag);
}

function attemptsMs({ times }: Pane): number {
  return times.timeoutMs * times.retryCount;
}

/** The line left the box. That a turn runs, or that the line stands in the transcript, says where to. */
function hasBegun(now: Look, tag: string, seenBefore: number): boolean {
  return now.reading.state === "busy" || isSent(now, tag, seenBefore);
}

/** `isOurs`: no key came since our last Enter. At that a CLI may have completed a word such as `@file`; else more than our line is the person's. */
function mayPress({ reading }: Look, line: string, isOurs: boolean): boolean {
  if (reading.state !== "draft" && reading.state !== "busy") return false;
  if (reading.box.special) return false;
  if (holdsExactly(reading, line)) return true;
  return isOurs && line.includes("@") && boxText(reading.box).startsWith(tagPart(line));
}

function tagPart(line: string): string {
  return compact(line.slice(0, line.indexOf("@")));
}

export function holdsExactly(reading: Look["reading"], line: string): boolean {
  return "box" in reading && reading.box !== undefined && boxText(reading.box) === compact(line);
}

/** Our line, whole or what a key left of it. Shorter rests could be anybody's. */
export function holdsRestOf(look: Look, line: string): boolean {
  const box = boxOf(look);
  const text = box === undefined ? "" : boxText(box);
  return look.reading.state === "draft" && text.length >= 4 && compact(line).startsWith(text);
}

function boxOf({ reading }: Look) {
  return "box" in reading ? reading.box : undefined;
}

function notShown(last: Look, tag: string, forMs: number): Injection {
  if (last.reading.state === "dialog")
    return unconfirmed(last, "nowhere", true, `a dialog opened:\n${last.reading.words}`);
  if (findTag(last.screen, boxOf(last), tag) === "box")
    return unconfirmed(last, "box", true, "somebody typed into the input box at the same time");
  const why = `the input box did not show the pasted line within ${forMs / 1000} s`;
  return { ...unconfirmed(last, "nowhere", false, why), lost: true };
}

function outOfTime(
  last: Look,
  how: { held: boolean; presses: number; timeoutMs: number; isUnseen: boolean },
): Injection {
  const { held, presses, timeoutMs, isUnseen } = how;
  const within = `within ${timeoutMs / 1000} s`;
  if (!held && presses > 0)
    return unconfirmed(
      last,
      "nowhere",
      false,
      `it left the input box, and no turn was seen to begin ${within}`,
    );
  if (presses > 0)
    return unconfirmed(last, "box", false, `Enter did not send it from the input box ${within}`);
  const { reading } = last;
  if (reading.state === "dialog")
    return unconfirmed(last, "nowhere", true, `a dialog opened:\n${reading.words}`);
  if (isUnseen) return unconfirmed(last, "box", true, "somebody typed, and the screen does not show it yet");
  return unconfirmed(last, held ? "box" : "nowhere", true, "something else was typed beside it");
}

function unconfirmed(look: Look, where: "box" | "nowhere", held: boolean, why: string): Unconfirmed {
  return { kind: "unconfirmed", where, held, why, look };
}
