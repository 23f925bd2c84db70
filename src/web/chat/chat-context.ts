import { createContext, useContext } from "react";
import type { Message } from "./bubble/mail.js";

/** What bubbles know of the page that they stand in, and what they can ask of it. */
export type Chat = {
  own: { id: string; name: string };
  /** By id, the name that an agent has now; undefined for one that is gone. */
  nameNow: (id: string) => string | undefined;
  /** Another agent that this name could be taken for. */
  looksLike: (name: string) => string | undefined;
  /** It fetches its mail: nothing is put into it. */
  pulls: (name: string) => boolean;
  find: (id: string) => Message | undefined;
  linkTo: (message: Message) => string;
  isOpen: (id: string) => boolean;
  toggleLadder: (id: string) => void;
  reply: (message: Message) => void;
  openThread: (message: Message) => void;
  goTo: (name: string) => void;
};

const ChatContext = createContext<Chat | undefined>(undefined);
export const ChatProvider = ChatContext.Provider;

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error("a bubble stands outside of a chat");
  return chat;
}
