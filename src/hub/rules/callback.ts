import { callbackStart, findCallbackPeer } from "../../model/callback-url.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Message } from "../../model/message.js";
import type { HubContext } from "../context.js";
import { repliedMessage } from "./replied-message.js";

/** What cannot be called later is refused now, while its sender can still do something about it. */
export function checkCallback(url: string, { peers }: HubContext["views"]): void {
  const all = peers.all();
  if (all.length === 0 || findCallbackPeer(url, all) !== undefined) return;
  const allowed = all.slice(0, 50).map(callbackStart);
  throw new HubError(
    "CALLBACK_NOT_ALLOWED",
    `callbackUrl is not a peer's: it must begin with ${allowed[0]}${allowed.length > 1 ? " or as another in allowed" : ""}, ` +
      "exactly as `huddle peers` shows its address; link the peer, or leave callbackUrl out",
    { allowed },
  );
}

/** That an answer is to be POSTed to where the message that it answers says; of mail between others nothing is called. */
export function callBack(answer: Message, { views, now, newId }: HubContext): NewEvent[] {
  const peers = views.peers.all();
  if (peers.length === 0 || answer.replyTo === undefined) return [];
  const target = answer.to[0]?.agent ?? "";
  const asked = repliedMessage(views, { replier: answer.from, replyTo: answer.replyTo, target })?.data
    .message;
  if (asked?.callbackUrl === undefined || asked.from !== target) return [];
  const peer = findCallbackPeer(asked.callbackUrl, peers);
  // It came before there were peers, or was a peer's that is none any more: it is carried along, as it was then.
  if (peer === undefined) return [];
  return [
    newEvent("CallbackDue", answer.from, {
      callback: newId(),
      agent: answer.from,
      message: answer.id,
      from: asked.from,
      peer: peer.name,
      attempt: 1,
      url: asked.callbackUrl,
      due: now,
    }),
  ];
}
