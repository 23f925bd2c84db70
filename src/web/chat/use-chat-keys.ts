import type { RefObject } from "react";
import { useKeys } from "../shell/use-keys.js";
import { copyMarkdown } from "./bubble/bubble-actions.js";
import type { Message } from "./bubble/mail.js";
import type { Chat } from "./chat-context.js";
import type { ChatRow } from "./chat-rows.js";

type Options = {
  rows: readonly ChatRow[];
  chat: Chat;
  column: RefObject<HTMLDivElement | null>;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Scroll to a row and give it the focus. */
  focusRow: (key: string) => void;
  thread: { isOpen: boolean; close: () => void };
  off: boolean;
};

/** The keys of the chat. All of it works without a mouse. */
export function useChatKeys({ rows, chat, column, input, focusRow, thread, off }: Options): void {
  const current = () => findFocused(column.current);

  function step(by: 1 | -1): void {
    const keys = rows.filter(isReadable).map(({ key }) => key);
    const focused = current();
    const at = focused === undefined ? -1 : keys.indexOf(focused.row);
    // Without a place yet, both begin at the newest.
    const next = at === -1 ? keys.at(-1) : keys[at + by];
    if (next !== undefined) focusRow(next);
  }

  /** The chosen message; without one, the newest of others. */
  function withMessage(act: (message: Message) => void): void {
    const focused = current()?.message;
    const message = focused === undefined ? newestOfOthers(rows) : chat.find(focused);
    if (message !== undefined) act(message);
  }

  useKeys(
    "Chat",
    [
      { keys: "k", label: "message", pair: "j", act: () => step(-1) },
      { keys: "j", label: "next message", quiet: true, act: () => step(1) },
      { keys: "r", label: "reply", act: () => withMessage(chat.reply) },
      { keys: "t", label: "thread", act: () => withMessage(chat.openThread) },
      { keys: "e", label: "receipt", act: () => withMessage(({ id }) => chat.toggleLadder(id)) },
      { keys: "y", label: "copy", quiet: !thread.isOpen, act: () => withMessage(copyMarkdown) },
      { keys: "i", label: "write", act: () => input.current?.focus() },
      ...(thread.isOpen ? [{ keys: "Escape", label: "close thread", act: thread.close }] : []),
    ],
    { off },
  );
}

function isReadable(row: ChatRow): boolean {
  return (row.kind === "message" && row.as !== "notice") || row.kind === "sent" || row.kind === "unsent";
}

function newestOfOthers(rows: readonly ChatRow[]): Message | undefined {
  const row = rows.findLast((one) => one.kind === "message" && one.as !== "notice" && one.as !== "human");
  return row?.kind === "message" ? row.mail.message : undefined;
}

function findFocused(column: HTMLElement | null): { row: string; message: string | undefined } | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || column?.contains(focused) !== true) return undefined;
  const row = focused.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const message = focused.closest<HTMLElement>("[data-message]")?.dataset["message"];
  return row === undefined ? undefined : { row, message };
}
