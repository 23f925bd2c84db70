import { setTimeout as sleep } from "node:timers/promises";
import type {
  AgentHost,
  ExitReport,
  HostedAgent,
  Prompt,
  ScreenWait,
  TurnEnd,
  TurnListener,
} from "../runtime.js";
import { RuntimeError } from "../runtime.js";
import { createDialogDesk } from "./dialog-desk.js";
import { findTurn } from "./find-turn.js";
import { followTurn } from "./follow-turn.js";
import { holdsExactly, holdsRestOf, inject, isTakenLate, type LeftLine, tagsOn } from "./inject.js";
import { writeMailFile } from "./mail-file.js";
import { exitedError, type Look, lastWords, look, type Pane, type SeenReady, shownOn } from "./pane.js";
import type { PaneWatch } from "./pane-watch.js";
import { cancelByEscape } from "./press-escape.js";
import { boxText } from "./read-screen.js";
import { watchSent } from "./sent-with.js";
import { holdsBeside, takeOut } from "./take-out.js";
import type { PaneInfo } from "./tmux-client.js";

/*
 * An agent in a pane, started by us or by the person. Between turns its screen is looked at when something was drawn on it, for a
 * dialog that waits for the person; `watch` notices that, and its end.
 * One prompt is open at a time: it is injected, followed to its end, and cancelled by Escape. One that the screen does not
 * take is given back (`HELD`), and the pane watched until it may be tried again.
 */

type HostedPaneOptions = {
  pane: Pane;
  /** The name of its session; the person may give it another, or move the pane. */
  session: string;
  host: AgentHost;
  watch: PaneWatch;
  resumed: boolean;
  /** How it looked as it was seen ready, if it was. */
  wasReady?: SeenReady | undefined;
  /** Where a turn may begin without the agent's tools: resolves when a line may be put in, to when it may be sent. */
  waitTools?: (signal: AbortSignal) => Promise<number>;
  /** The vendor's session, where it can be learnt from a CLI that runs. */
  findSession?: () => Promise<string | undefined>;
  /** Ends the agent and what it began; nothing for a pane that is the person's. */
  end: (options: { graceMs: number }) => Promise<void>;
};

type Turn = { prompt: Prompt; phase: "injecting" | "running"; cancelled: boolean; abort: AbortController };

/** A screen may look idle before the agent has read its file. */
const keepFileMs = 10_000;
const holdPollMs = 1000;
/** What was seen once is looked at again after that. */
const sureAfterMs = 300;
/** The pauses between attempts in vain double up to this. */
const longestPauseMs = 600_000;

export function createHostedPane(options: HostedPaneOptions): HostedAgent {
  const { pane, host, watch, resumed, end } = options;
  let turn: Turn | undefined;
  let over: "stopped" | "exited" | undefined;
  let shownWait = "";
  let left: LeftLine | undefined;
  let unsent: string | undefined;
  let wasReady = options.wasReady;
  let inVain = 0;
  let holds = 0;
  let { session } = options;
  const removals = new Set<() => Promise<void>>();
  let isLooking = false;
  /** tmux tells whole seconds of when something was drawn. */
  let lookedAt = 0;
  const dialogs = createDialogDesk({
    pane,
    permission: (request) => host.permission(request),
    isCancelled: () => turn?.cancelled === true,
    isOurTurn: () => turn?.phase === "running",
  });

  const unwatch = watch.add(pane, {
    gone: (info) => void ended(info),
    seen: (info) => {
      session = info.session;
      if (turn === undefined && (info.drawnAt >= lookedAt || dialogs.isUnsure())) void lookBetweenTurns();
    },
  });

  async function lookBetweenTurns(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      do {
        lookedAt = Math.floor(Date.now() / 1000);
        const seen = await look(pane);
        if (over !== undefined || turn !== undefined) return;
        dialogs.seen(seen);
        noteReady(seen);
      } while (dialogs.isUnsure() && (await sleep(sureAfterMs, true, { ref: false })));
    } catch {
      // A server that does not answer now is asked again.
      lookedAt = 0;
    } finally {
      isLooking = false;
    }
  }

  function noteReady(seen: Look): void {
    const shown = shownOn(seen);
    if (seen.reading.state === "ready" && wasReady?.shown !== shown)
      wasReady = { shown, since: performance.now() };
  }

  /** Once, however it was noticed. */
  async function ended(info: PaneInfo | undefined): Promise<void> {
    if (over !== undefined) return;
    over = "exited";
    unwatch();
    dialogs.close();
    turn?.abort.abort();
    const words = await lastWords(pane).catch(() => "");
    const resumable = sessionIn(words);
    if (resumable !== undefined) host.session(resumable);
    if (pane.hosted) await end({ graceMs: 0 }).catch(() => {});
    host.exited(reportOf(info, words));
  }

  /** At every turn: the person may have begun another on the same screen. */
  async function tellSession(): Promise<void> {
    const found = await options.findSession?.().catch(() => undefined);
    if (found !== undefined) host.session(found);
  }

  function waiting(on: ScreenWait | undefined): void {
    const shown = on === undefined ? "" : `${on.on}\n${on.words}`;
    if (shown !== shownWait) host.waiting?.(on);
    shownWait = shown;
  }

  function held(now: Look): void {
    const { reading } = now;
    dialogs.seen(now);
    if (reading.state === "dialog") waiting({ on: "dialog", words: reading.words });
    else if (reading.state === "draft") waiting({ on: "draft", words: boxText(reading.box) });
    else waiting(undefined);
  }

  /** The prompt was given back; says when it may be tried again. */
  async function watchHold({ line, tag }: Prompt): Promise<void> {
    holds += 1;
    const mine = holds;
    const pauseMs = Math.min(pane.times.timeoutMs * 2 ** inVain, longestPauseMs);
    const notBefore = performance.now() + (inVain === 0 ? 0 : pauseMs);
    const lostAt = performance.now() + Math.max(pauseMs, pane.times.lostAfterMs);
    for (;;) {
      await sleep(holdPollMs, undefined, { ref: false });
      if (over !== undefined || turn !== undefined || mine !== holds) return;
      if (performance.now() < notBefore) continue;
      const seen = await look(pane).catch(() => undefined);
      if (seen !== undefined) dialogs.seen(seen);
      const state = seen?.reading.state;
      if (seen !== undefined && left?.line === line && isTakenLate(seen, left, tag)) return freed();
      if (seen === undefined || state === "busy" || state === "starting" || state === "copy-mode") continue;
      if (state === "exited") return;
      if (left?.screen !== undefined && shownOn(seen) === left.screen) {
        // A CLI that hangs may have it still to read; one that stands idle has lost it, and draws nothing by itself.
        if (left.lost !== true || state !== "ready" || performance.now() < lostAt) continue;
        left = { ...left, screen: undefined };
      }
      if (left !== undefined && holdsBeside(seen, left.line)) await takeOut(pane, left.line).catch(() => {});
      const isOurs = holdsExactly(seen.reading, line) || (left !== undefined && holdsRestOf(seen, left.line));
      if (state !== "ready" && !isOurs) {
        held(seen);
        continue;
      }
      return freed();
    }
  }

  function freed(): void {
    shownWait = "";
    host.waiting?.(undefined);
  }

  /** Its file is there before the line is. It goes when the line is given back, and a while after the turn. */
  async function runWithFile(current: Turn, listener: TurnListener): Promise<TurnEnd> {
    const { file, text } = current.prompt;
    if (file === undefined) return run(current, listener);
    const removeFile = await writeMailFile(pane, file, text).catch((error: unknown) => {
      inVain += 1;
      throw error;
    });
    try {
      return await run(current, listener);
    } finally {
      removals.add(removeFile);
      const remove = () => removeFile().then(() => removals.delete(removeFile));
      if (current.phase === "injecting") await remove();
      else setTimeout(() => void remove(), keepFileMs).unref();
    }
  }

  async function run(current: Turn, listener: TurnListener): Promise<TurnEnd> {
    const { line, tag, isRead } = current.prompt;
    const { signal } = current.abort;
    const sendAfter = await options.waitTools?.(signal);
    const how = { line, tag, left, wasReady, sendAfter, isRead, signal, waiting: held };
    const injected = await inject(pane, how);
    if (injected.kind === "unconfirmed") {
      const { where, why, held: isHeld } = injected;
      // What may be on its way into a CLI that hangs must not be pasted a second time.
      const screen = isHeld || where === "box" ? undefined : shownOn(injected.look);
      left = { line, screen, tags: tagsOn(injected.look, tag), lost: injected.lost === true };
      if (!isHeld) inVain += 1;
      const sentence = `The line was not confirmed in pane ${pane.id}: ${why}`;
      throw new RuntimeError("HELD", sentence, {
        where,
        why,
        state: injected.look.reading.state,
        inVain: !isHeld,
      });
    }
    left = undefined;
    unsent = undefined;
    inVain = 0;
    current.phase = "running";
    waiting(undefined);
    listener.taken("pane_took_it");
    return follow(current, injected.look, listener);
  }

  /** A turn that has begun, to its end. */
  async function follow(current: Turn, begun: Look, listener: TurnListener): Promise<TurnEnd> {
    const { line, tag } = current.prompt;
    const { signal } = current.abort;
    const isCancelled = () => current.cancelled;
    const output = (text: string) => host.output({ kind: "text", text });
    const responding = () => {
      listener.responding();
      void tellSession();
    };
    // Of a turn that was found again only the tag is known, not what else our line said.
    const seenSent =
      line === tag ? () => {} : watchSent(pane.rule, current.prompt, (words) => listener.mixed?.(words));
    const seen = (now: Look) => {
      dialogs.seen(now);
      noteReady(now);
      seenSent(now);
    };
    const turnEnd = await followTurn(pane, begun, {
      tag,
      listener: { ...listener, responding },
      output,
      waiting,
      seen,
      isCancelled,
      signal,
    });
    await tellSession();
    if (current.cancelled) await clearUnsent(pane, line);
    if (turnEnd.limit !== undefined) await keepFromGoingOn(pane);
    return turnEnd;
  }

  async function finish(current: Turn, runs: () => Promise<TurnEnd>): Promise<TurnEnd> {
    try {
      return await runs();
    } catch (error) {
      if (current.abort.signal.aborted) throw exitedError(pane.id);
      if (error instanceof RuntimeError && error.code === "AGENT_EXITED") await ended(await infoOf(pane));
      const refusal = current.phase === "injecting" ? heldBy(error, current.prompt) : error;
      if (refusal instanceof RuntimeError && refusal.code === "HELD") void watchHold(current.prompt);
      throw refusal;
    } finally {
      turn = undefined;
    }
  }

  /** A tmux that does not answer in time says nothing of the CLI: the line may stand in its box, and waits. */
  function heldBy(error: unknown, { line }: Prompt): unknown {
    if (!(error instanceof RuntimeError) || error.code !== "BACKEND_FAILED") return error;
    left = { line, screen: undefined, tags: Number.POSITIVE_INFINITY };
    return new RuntimeError("HELD", error.message, error.details);
  }

  return {
    resumed,
    pid: pane.hosted ? pane.pid : undefined,
    tmux: () =>
      over === undefined ? { session, pane: pane.id, socket: pane.tmux.socket ?? null } : undefined,

    async prompt(prompt, listener) {
      if (over !== undefined) throw exitedError(pane.id);
      if (turn !== undefined)
        throw new RuntimeError("NOT_TAKEN", "A turn is open already; an agent has one at a time");
      const current: Turn = { prompt, phase: "injecting", cancelled: false, abort: new AbortController() };
      turn = current;
      return finish(current, () => runWithFile(current, listener));
    },

    unsent: () => unsent,

    async regain(tag, lines = []) {
      if (over !== undefined || turn !== undefined) return undefined;
      const begun = await findTurn(pane, tag);
      if (begun === undefined) {
        const now = await look(pane);
        const line = lines.find((one) => holdsExactly(now.reading, one) || holdsBeside(now, one));
        if (line !== undefined) left = { line, screen: undefined, tags: 0 };
        unsent = line ?? (holdsBeside(now, tag) ? tag : undefined);
        return undefined;
      }
      return async (listener) => {
        const prompt = { turn: "", text: "", line: tag, tag };
        const current: Turn = { prompt, phase: "running", cancelled: false, abort: new AbortController() };
        turn = current;
        return finish(current, () => follow(current, begun, listener));
      };
    },

    async recheck() {
      if (over === undefined) dialogs.seen(await look(pane));
    },

    async interrupt() {
      const current = turn;
      // A line that is not sent yet cannot be cancelled by Escape, which would touch the person's draft or dialog.
      if (current === undefined || current.phase === "injecting" || over !== undefined) return;
      current.cancelled = true;
      await cancelByEscape(pane, () => turn === current);
    },

    async stop(options) {
      if (over === undefined) {
        over = "stopped";
        unwatch();
        dialogs.close();
        turn?.abort.abort();
        // The person may have written on this screen since our last turn.
        await tellSession();
      }
      await Promise.all([...removals].map((remove) => remove()));
      await end(options);
    },
  };
}

/** Cancelled before it answered, a CLI puts our line back into the box. There it would pass for a draft of the person. */
async function clearUnsent(pane: Pane, line: string): Promise<void> {
  for (let n = 0; n < 5; n++) {
    // Only ours: a key on an empty box may end the CLI.
    if (!holdsRestOf(await look(pane), line)) return;
    await pane.tmux.sendKeys(pane.id, pane.rule.clearKey);
    await sleep(pane.times.pollMs);
  }
}

/** What it was at is given to it again when its limit is over: it is not to begin with it by itself, too. */
async function keepFromGoingOn(pane: Pane): Promise<void> {
  const { reading, screen } = await look(pane);
  if (reading.state !== "ready" || pane.rule.goesOnByItself?.(screen, reading.box) !== true) return;
  await pane.tmux.sendKeys(pane.id, "Escape");
}

async function infoOf(pane: Pane): Promise<PaneInfo | undefined> {
  const info = await pane.tmux.paneOf(pane.id).catch(() => undefined);
  return info?.pid === pane.pid ? info : undefined;
}

function reportOf(info: PaneInfo | undefined, words: string): ExitReport {
  return { code: info?.exitStatus ?? null, signal: info?.exitSignal ?? null, stderr: words };
}

/** Most CLIs say as they end how their session is taken up again: `codex resume ID`, `copilot --resume=ID`, `opencode -s ID`. */
function sessionIn(words: string): string | undefined {
  return /(?:\bresume|\s-s)[\s=]+([0-9a-f]{8}-[0-9a-f-]{27}|ses_\w+)/u.exec(words)?.[1];
}
