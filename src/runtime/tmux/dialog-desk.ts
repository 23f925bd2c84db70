import {
  type AgentHost,
  answeredOnScreen,
  type PermissionAnswer,
  type PermissionRequest,
} from "../runtime.js";
import { type Dialog, isSameDialog } from "./dialog.js";
import type { Look, Pane } from "./pane.js";
import { pressOption } from "./press-option.js";
import { dialogFooter } from "./screen-rule.js";
import { throughCopyMode } from "./through-copy-mode.js";

/*
 * Dialogs on the screen of one agent, as whoever looks at it tells: each becomes a question to the person, once. It is in one of these:
 *
 *   nothing     no dialog is there
 *   glimpsed    one was seen, perhaps half drawn
 *   asked       the person was asked; the answer's key is pressed if the very same dialog is still there
 *   pressing    its key is being pressed
 *   left        it was answered with nothing that could be pressed; it is not asked about again, except when its turn was told to
 *               stop and it stands on: then the person is to end it, in the pane
 *
 * A dialog that went away was answered in the pane, and the question is withdrawn. One whose rule is not known is asked about
 * without options: only the person answers it, in the pane. Huddle's own tools are nobody's question, nor is a vendor's usage limit in a
 * turn of Huddle's.
 */

type Shown = { dialog: Dialog; words?: never } | { dialog?: never; words: string };

type State =
  | { kind: "nothing" }
  | { kind: "glimpsed"; shown: Shown; since: number }
  | { kind: "asked"; shown: Shown; over: AbortController }
  | { kind: "pressing"; shown: Shown }
  /** `since`: unless it was asked about a second time. */
  | { kind: "left"; shown: Shown; since: number | undefined };

export type DialogDesk = {
  /** To be told of every look at the pane. */
  seen(look: Look): void;
  /** Whether another look is wanted soon: something was seen that may be a dialog. */
  isUnsure(): boolean;
  /** Whether the person was asked about what stands there. */
  isAsked(): boolean;
  close(): void;
};

/** What no rule knows may be drawn still; what asks for no choice may be no dialog at all. */
const asksAfterMs = 1000;
const standsAfterMs = 5000;

type DialogDeskPorts = {
  pane: Pane;
  permission: AgentHost["permission"];
  /** The turn in which it stands was told to stop. */
  isCancelled?: () => boolean;
  /** A turn of Huddle's runs, and none of the person's own. */
  isOurTurn?: () => boolean;
};

export function createDialogDesk({
  pane,
  permission,
  isCancelled = () => false,
  isOurTurn = () => false,
}: DialogDeskPorts): DialogDesk {
  let state: State = { kind: "nothing" };
  let wasStopped = false;

  function seen(look: Look): void {
    const shown = readShown(pane, look);
    if (state.kind === "pressing") return;
    if (state.kind !== "nothing" && shown !== undefined && isSame(state.shown, shown)) {
      if (state.kind === "glimpsed" && isSure(shown, performance.now() - state.since)) open(shown);
      else if (state.kind === "left" && isCancelled() && stood(state.since) >= standsAfterMs)
        openAgain(shown);
      return;
    }
    withdraw();
    if (shown === undefined) wasStopped = false;
    state = shown === undefined ? { kind: "nothing" } : { kind: "glimpsed", shown, since: performance.now() };
  }

  function withdraw(): void {
    if (state.kind === "asked") state.over.abort(answeredOnScreen);
  }

  function open(shown: Shown): void {
    if (shown.dialog?.ownTool === true && pane.hosted) return void grant(shown);
    if (shown.dialog?.atLimit !== undefined && isOurTurn() && !wasStopped) return void stop(shown);
    ask(shown, requestOf(shown), () => performance.now());
  }

  /** Nothing of a turn that was told to stop is allowed any more, neither by the person nor by a policy. */
  function openAgain(shown: Shown): void {
    const { words } = shown.dialog ?? shown;
    ask(shown, { ...requestOf({ words }), stands: true }, () => undefined);
  }

  function ask(shown: Shown, request: Omit<PermissionRequest, "signal">, leftAt: () => number | undefined) {
    const over = new AbortController();
    const asked: State = { kind: "asked", shown, over };
    state = asked;
    void permission({ ...request, signal: over.signal }).then(async (answer) => {
      if (state === asked) await answered(shown, answer, leftAt());
    });
  }

  async function answered(shown: Shown, answer: PermissionAnswer, leftAt: number | undefined): Promise<void> {
    const at = answer === "cancelled" ? -1 : Number(answer.option);
    const option = shown.dialog?.options.find((one) => one.at === at);
    if (shown.dialog === undefined || option === undefined) {
      state = { kind: "left", shown, since: leftAt };
      return;
    }
    await press(shown, () => pressOption(pane, shown.dialog, option));
  }

  /** At its vendor's usage limit a turn of ours ends, and is tried again when that is over. Once: if it does not help, the person is asked. */
  async function stop(shown: Shown): Promise<void> {
    const option = shown.dialog?.atLimit;
    if (shown.dialog === undefined || option === undefined) return;
    wasStopped = true;
    await press(shown, () => pressOption(pane, shown.dialog, option));
  }

  /** One of ours: allowed this once, so that nothing is changed in what the person configured. */
  async function grant(shown: Shown): Promise<void> {
    const once = shown.dialog?.options.find(({ grants }) => grants === "once");
    if (shown.dialog === undefined || once === undefined) return;
    await press(shown, () => pressOption(pane, shown.dialog, once));
  }

  /** What stands there still after its key is asked about again: it may be another of the same words. */
  async function press(shown: Shown, act: () => Promise<unknown>): Promise<void> {
    state = { kind: "pressing", shown };
    // A server that does not answer now: the next look says what is there.
    await act().catch(() => {});
    if (state.kind === "pressing") state = { kind: "nothing" };
  }

  return {
    seen,
    isUnsure: () => state.kind === "glimpsed",
    isAsked: () => state.kind === "asked" || state.kind === "pressing",
    close() {
      if (state.kind === "asked") state.over.abort();
      state = { kind: "nothing" };
    },
  };
}

function readShown(pane: Pane, look: Look): Shown | undefined {
  const reading = throughCopyMode(pane, look);
  if (reading.state !== "dialog") return undefined;
  return reading.asks === undefined ? { words: reading.words } : { dialog: reading.asks };
}

function isSame(one: Shown, other: Shown): boolean {
  if (one.dialog !== undefined && other.dialog !== undefined) return isSameDialog(one.dialog, other.dialog);
  if (one.words === undefined || other.words === undefined) return false;
  return still(one.words) === still(other.words);
}

/** Without what moves while a dialog stands: spinners, clocks, the mark of what is chosen. */
function still(words: string): string {
  return words.replace(/[\u2800-\u28ff\d❯›●>·✢✳✶✻✽*◐◓◑◒]|\s/gu, "");
}

function isSure(shown: Shown, stoodMs: number): boolean {
  if (shown.dialog !== undefined) return true;
  return stoodMs >= (asksForChoice(shown.words) ? asksAfterMs : standsAfterMs);
}

function asksForChoice(words: string): boolean {
  return dialogFooter.test(words) || /^[❯›>●] \S/mu.test(words);
}

function stood(since: number | undefined): number {
  return since === undefined ? 0 : performance.now() - since;
}

function requestOf({ dialog, words }: Shown): Omit<PermissionRequest, "signal"> {
  if (dialog === undefined)
    return {
      tool: "dialog",
      title: titleOf(words),
      act: "dialog",
      details: { words },
      options: [],
    };
  const { tool, title, act, options } = dialog;
  return {
    tool,
    title,
    act,
    details: { words: dialog.words },
    options: options.map(({ label, grants, at }) => ({ id: String(at), label, grants })),
  };
}

/** The row that asks, or the first. */
function titleOf(words: string): string {
  const rows = words.split("\n");
  return rows.find((row) => /\?\s*$/u.test(row)) ?? rows[0] ?? "";
}
