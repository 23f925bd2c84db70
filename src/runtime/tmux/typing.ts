import { exitedError, type Look, lookBeside, type Pane } from "./pane.js";
import type { Screen } from "./screen.js";

/*
 * Whether the person types, and how we act only when they do not. tmux notes when somebody at a client of a session last
 * pressed a key, to the second, in the same step in which it hands that key to the pane. So once that second is over, the
 * next key changes what is noted. tmux can compare it and act in one step (`if-shell -F`): a key of the person came before, and
 * nothing is done, or comes after. What a program types by `send-keys` is not noted; for that the cursor is compared.
 */

export type Typing = {
  /** The sessions that show the pane, each with the second of its last key. */
  sessions: readonly { id: string; at: string }[];
  /** The last key is so long ago that the next one will be noticed, and that a CLI has drawn what it did, as far as that can be told. */
  quiet: boolean;
};

const format = "#{pane_id} #{session_id} #{session_activity} #{session_attached} #{window_activity}";
const quietSeconds = 2;
/** Nothing was drawn since the key: it may be one that shows nothing, or the CLI hangs and has not read it yet. */
const undrawnSeconds = 10;

export async function readTyping({ tmux, id }: Pane): Promise<Typing> {
  return typingIn(id, ((await tmux.run(["list-panes", "-a", "-F", format])) ?? "").split("\n"));
}

/** A look, and who types at that moment: a key that the look does not show yet was pressed after that, or keeps it from being quiet. */
export async function lookWithTyping(pane: Pane): Promise<{ look: Look; typing: Typing }> {
  const { look, listed } = await lookBeside(pane, format);
  return { look, typing: typingIn(pane.id, listed) };
}

function typingIn(id: string, listed: readonly string[]): Typing {
  const now = Date.now() / 1000;
  const sessions = listed
    .map((line) => line.split(" "))
    .filter(([pane]) => pane === id)
    .map(([, session = "", at = "", clients, drawnAt]) => {
      const isDrawn = Number(drawnAt) >= Number(at);
      return { id: session, at, watched: clients !== "0", isDrawn };
    });
  // The other side of now is where a clock that was put back leaves it.
  const isQuiet = ({ at, watched, isDrawn }: (typeof sessions)[number]) =>
    !watched || Math.abs(now - Number(at)) >= (isDrawn ? quietSeconds : undrawnSeconds);
  return { sessions: sessions.map(({ id, at }) => ({ id, at })), quiet: sessions.every(isQuiet) };
}

/** Whether a key was pressed, or somebody came or went, between the two. */
export function isSameTyping(one: Typing, other: Typing): boolean {
  return JSON.stringify(one.sessions) === JSON.stringify(other.sessions);
}

/** Whether it was pasted. Not, when a key was pressed since `typing` was read. */
export async function pasteIfQuiet(pane: Pane, typing: Typing, text: string): Promise<boolean> {
  const pasted = await pane.tmux.pasteIf(pane.id, text, unchanged(pane, typing));
  if (pasted === "absent") throw exitedError(pane.id);
  return pasted === "done";
}

/** Whether the key was pressed. Not, when another was since `typing` was read, or the cursor is no longer where `screen` had it. */
export async function pressIfQuiet(
  pane: Pane,
  typing: Typing,
  { key, screen }: { key: string; screen: Screen },
): Promise<boolean> {
  const pressed = await pane.tmux.sendKeyIf(pane.id, key, unchanged(pane, typing, screen));
  if (pressed === "absent") throw exitedError(pane.id);
  return pressed === "done";
}

/**
 * Takes away the line up to the cursor. Unlike the keys that empty a whole box it ends no CLI when it is pressed twice. Where a new line was
 * made in the box (gemini does so at an Enter that it reads together with a paste), the row before it is joined and taken away, too.
 */
const clearLineKey = "C-u";
const clearRowBefore = ` BSpace ${clearLineKey}`;

/** As one step: what stands in these rows of the box is taken away, and the box gets `text`. */
export async function refillIfQuiet(
  pane: Pane,
  typing: Typing,
  { text, rows, screen }: { text: string; rows: number; screen: Screen },
): Promise<boolean> {
  const condition = unchanged(pane, typing, screen);
  const keys = clearLineKey + clearRowBefore.repeat(Math.max(0, rows - 1));
  const done =
    text === ""
      ? await pane.tmux.sendKeyIf(pane.id, keys, condition)
      : await pane.tmux.pasteIf(pane.id, text, condition, keys);
  if (done === "absent") throw exitedError(pane.id);
  return done === "done";
}

/** In tmux's own language: nobody pressed a key since, it is still this pane and not in copy mode. */
function unchanged({ pid }: Pane, { sessions }: Typing, screen?: Screen): string {
  const each = sessions.map(({ id }) => `#{?#{==:#{session_id},${id}},#{session_activity}_,}`).join("");
  const is = [`#{S:${each}}`, "#{pane_pid}", "#{pane_in_mode}"];
  const was: (string | number)[] = [sessions.map(({ at }) => `${at}_`).join(""), pid, 0];
  if (screen !== undefined) {
    is.push("#{cursor_x}", "#{cursor_y}");
    was.push(screen.cursor.column, screen.cursor.row);
  }
  return `#{==:${is.join(" ")},${was.join(" ")}}`;
}
