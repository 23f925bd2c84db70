import { setTimeout as sleep } from "node:timers/promises";
import { RuntimeError } from "../runtime.js";
import { plainWords, type Reading, readScreen } from "./read-screen.js";
import { parseRows, type Screen } from "./screen.js";
import type { ScreenRule } from "./screen-rule.js";
import type { PaneInfo, TmuxClient } from "./tmux-client.js";

/** `tmux.*` of the configuration, in milliseconds. */
export type PaneTimes = {
  /** How long a sent line may take to leave the box and start a turn. */
  timeoutMs: number;
  /** How often Enter is pressed for one line. */
  retryCount: number;
  pollMs: number;
  /** How long a pane may take to become ready. */
  readyTimeoutMs: number;
  /** How long a CLI that starts may draw nothing new, until its input box is there. */
  startTimeoutMs: number;
  /** A paste that its box never showed is lost: it is pasted again after that, where nothing was drawn meanwhile. */
  lostAfterMs: number;
};

export const defaultPaneTimes: PaneTimes = {
  timeoutMs: 5000,
  retryCount: 2,
  pollMs: 200,
  readyTimeoutMs: 30_000,
  startTimeoutMs: 60_000,
  lostAfterMs: 180_000,
};

/** One pane with one CLI in it. */
export type Pane = {
  tmux: TmuxClient;
  id: string;
  /** Of the pane's first process: a server that was restarted uses the numbers of panes again. */
  pid: number;
  /** The CLI is that first process, so its end is the pane's, and a wrapper of it may be a shell's script. */
  hosted: boolean;
  rule: ScreenRule;
  times: PaneTimes;
};

export type Look = { reading: Reading; screen: Screen; info: PaneInfo | undefined };

export async function look(pane: Pane): Promise<Look> {
  return (await lookBeside(pane)).look;
}

/** With `panes`: also what tmux says in this format of each pane, at the same moment. */
export async function lookBeside(
  { tmux, id, pid, rule, hosted }: Pane,
  panes?: string,
): Promise<{ look: Look; listed: readonly string[] }> {
  const capture = await tmux.capture(id, panes);
  if (capture === undefined || capture.pane.pid !== pid) {
    return { look: { reading: { state: "exited" }, screen: nothing, info: undefined }, listed: [] };
  }
  const screen = hosted ? { ...capture.screen, command: rule.cli } : capture.screen;
  return {
    look: { reading: readScreen(rule, screen), screen, info: capture.pane },
    listed: capture.listed,
  };
}

/** The rows as they are to be seen, for telling whether anything changed. */
export function shownOn({ screen }: Look): string {
  return screen.rows.map(({ text }) => text).join("\n");
}

const nothing: Screen = {
  rows: parseRows(""),
  cursor: { row: 0, column: 0, visible: false },
  command: "",
  inMode: false,
  dead: true,
  title: "",
  width: 0,
  height: 0,
};

/** What the pane still knows, for whoever lost sight of a turn. */
export async function paneHistory({ tmux, id }: Pick<Pane, "tmux" | "id">): Promise<string> {
  return (await tmux.run(["capture-pane", "-p", "-J", "-S", "-2000", "-t", id])) ?? "";
}

/** What an ended agent said last. tmux scrolls its screen by a row to say that it is dead. */
export async function lastWords({ tmux, id, pid }: Pane): Promise<string> {
  const info = await tmux.paneOf(id);
  if (info?.pid !== pid) return "";
  const rows = (await tmux.run(["capture-pane", "-p", "-J", "-S", "-50", "-t", id])) ?? "";
  return plainWords(rows.split("\n").filter((row) => !row.startsWith("Pane is dead (")));
}

export function exitedError(where: string): RuntimeError {
  return new RuntimeError("AGENT_EXITED", `The agent in pane ${where} ended`);
}

/** Ready means twice, so that a half-drawn screen does not count. */
export const readyTwiceMs = 80;

/** How a pane looked when it was last seen ready, and when it did so first, by `performance.now()`. */
export type SeenReady = { shown: string; since: number };

/** Looks until `isDone`, at most for `forMs`; the last look in any case. The pauses double from `firstMs` to `everyMs`. */
export async function lookUntil(
  pane: Pane,
  isDone: (look: Look) => boolean,
  options: { forMs: number; everyMs: number; firstMs?: number; signal?: AbortSignal | undefined },
): Promise<Look> {
  const { forMs, everyMs, firstMs = everyMs, signal } = options;
  const deadline = performance.now() + forMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(everyMs, pauseMs * 2)) {
    const seen = await look(pane);
    if (isDone(seen) || performance.now() >= deadline) return seen;
    await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
  }
}
