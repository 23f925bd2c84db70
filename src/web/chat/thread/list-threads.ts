import type { Mail, Message } from "../bubble/mail.js";

/** Messages that answer each other, as far as they are loaded. */
export type ThreadSummary = {
  id: string;
  /** What began it, where that is here; else the oldest that is. */
  first: Message;
  last: Message;
  count: number;
  names: readonly string[];
};

/** Newest first; a message that nobody answered is no thread. */
export function listThreads(mail: readonly Mail[]): ThreadSummary[] {
  const threads = new Map<string, Message[]>();
  for (const { message } of mail) {
    const id = message.thread ?? message.id;
    threads.set(id, [...(threads.get(id) ?? []), message]);
  }
  return [...threads]
    .flatMap(([id, messages]): ThreadSummary[] => {
      const first = messages[0];
      const last = messages.at(-1);
      if (first === undefined || last === undefined) return [];
      if (messages.length === 1 && first.reply_to === undefined) return [];
      return [
        { id, first, last, count: messages.length, names: [...new Set(messages.map(({ from }) => from))] },
      ];
    })
    .sort((a, b) => b.last.seq - a.last.seq);
}
