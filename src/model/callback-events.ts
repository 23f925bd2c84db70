import type { AgentId } from "./agent.js";
import type { MessageId } from "./message.js";
import type { PeerName } from "./peer.js";

/** One answer on its way to the URL that the message it answers gave. */
type Callback = {
  callback: string;
  /** Who answered, and by which message. */
  agent: AgentId;
  message: MessageId;
  /** Whose message gave the URL. */
  from: AgentId;
  peer: PeerName;
  /** The tries, this one included. */
  attempt: number;
};

export type CallbackEvents = {
  /**
   * It is to be POSTed at `due` (hub time). The first one stands directly behind the answer in the journal; one with `failed` says
   * why the try before it was in vain.
   */
  CallbackDue: Callback & { url: string; due: number; failed?: string };
  CallbackDone: Callback & { outcome: "delivered" | "given_up"; reason?: string };
};
