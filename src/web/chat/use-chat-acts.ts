import { type RefObject, useCallback, useMemo, useState } from "react";
import { type AgentRow, useAgentStore } from "../hub/agent-store.js";
import { looksLikeOther } from "../parts/split-unsafe.js";
import { goTo } from "../shell/places.js";
import type { Mail, Message } from "./bubble/mail.js";
import type { Chat } from "./chat-context.js";
import { messageLink } from "./links.js";

/** What is open in a chat, what is being answered, and what its bubbles can ask for. */
export function useChatActs(
  agent: AgentRow,
  mail: readonly Mail[],
  input: RefObject<HTMLTextAreaElement | null>,
) {
  const { id, name } = agent;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [replying, setReplying] = useState<{ page: string; message: Message }>();
  const [shown, setShown] = useState<{ page: string; message: Message }>();
  const byId = useMemo(() => new Map(mail.map(({ message }) => [message.id, message])), [mail]);
  const nameNow = useCallback((other: string) => useAgentStore.getState().byId.get(other)?.name, []);
  // A rename shows at once.
  const names = useAgentStore(namesOf);

  const chat = useMemo<Chat>(
    () => ({
      own: { id, name },
      nameNow,
      looksLike: (one) => looksLikeOther(one, names.split(" ")),
      pulls: (one) => isPulling(one),
      find: (message) => byId.get(message),
      linkTo: ({ id: message }) => messageLink(message),
      isOpen: (message) => open.has(message),
      toggleLadder: (message) =>
        setOpen((before) => {
          const next = new Set(before);
          if (!next.delete(message)) next.add(message);
          return next;
        }),
      reply: (message) => {
        setReplying({ page: id, message });
        input.current?.focus();
      },
      openThread: (message) => setShown({ page: id, message }),
      goTo: (other) => goTo({ page: "agent", name: other }),
    }),
    [id, name, nameNow, names, byId, open, input],
  );
  return {
    chat,
    hasOpen: open.size > 0,
    replyTo:
      replying?.page === id
        ? { message: replying.message, to: addressee(replying.message, agent) }
        : undefined,
    endReply: useCallback(() => setReplying(undefined), []),
    thread: shown?.page === id ? shown.message : undefined,
    closeThread: useCallback(() => setShown(undefined), []),
  };
}

function namesOf({ byId }: { byId: ReadonlyMap<string, AgentRow> }): string {
  return [...byId.values()].map(({ name }) => name).join(" ");
}

function isPulling(name: string): boolean {
  for (const row of useAgentStore.getState().byId.values())
    if (row.name === name) return row.runtime === undefined;
  return false;
}

/** An answer goes to whoever wrote what is answered; to the agent of the page where that was the person, or is gone. */
function addressee({ fromSession }: Message, { name }: AgentRow): string {
  return (
    (fromSession === undefined ? undefined : useAgentStore.getState().byId.get(fromSession)?.name) ?? name
  );
}
