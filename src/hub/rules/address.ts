import { type Agent, HUMAN_ID, type Recipient } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { Addressee, HoldReason } from "../../model/message.js";
import type { HubContext } from "../context.js";
import { addressOf } from "./address-of.js";
import { cool, type IfLimited } from "./cooldown.js";
import { checkRoom } from "./inbox-room.js";

type Terms = {
  /** What the sender said; else it is as usual here. */
  ifLimited?: IfLimited | undefined;
  expiresInMs: number | undefined;
  /** Mail that waits for the person, whatever its pace. */
  hold: HoldReason | undefined;
};

/** One recipient's place for a message: now, later, or a refusal that says when to try again. */
export function address(sender: Agent, target: Recipient, terms: Terms, context: HubContext): Addressee {
  const { views, limits, now } = context;
  checkRoom(sender.id, target, context);
  const { id: agent, name } = target;
  if (sender.id === HUMAN_ID) return { agent, name };
  const limited = (ms: number) => rateLimited(addressOf(views, target, sender.team), ms);
  const cooling = cool(views.pairs.get(sender.id, target.id), now, limits.cooldown);
  if (cooling.kind === "capped") throw limited(cooling.retryAt - now);
  const rejects = (terms.ifLimited ?? limits.cooldown.mode) === "reject";
  if (rejects && cooling.from > now) throw limited(cooling.from - now);
  const pace = rejects ? { ...cooling.pace, due: now } : cooling.pace;
  if (terms.expiresInMs !== undefined && pace.due - now >= terms.expiresInMs) {
    // Held until after its expiry, it would never be read: better said now.
    throw limited(pace.due - now);
  }
  if (views.pausedPairs.has(sender.id, target.id)) return { agent, name, pace, hold: { reason: "paused" } };
  if (terms.hold !== undefined) return { agent, name, pace, hold: { reason: terms.hold } };
  return pace.due > now
    ? { agent, name, pace, hold: { reason: "cooldown", until: pace.due } }
    : { agent, name, pace };
}

function rateLimited(target: string, retryAfterMs: number): HubError {
  return new HubError("RATE_LIMITED", "Rate limited", {
    target,
    retry_after_ms: Math.max(1, Math.ceil(retryAfterMs)),
  });
}
