import type { HubId } from "../model/link.js";

/* Where things are on the fabric. The last token of a subject is who publishes on it, which the server's permissions hold. */

/** Who each hub is, the last that it said. Every member may ask what is in it, so there is nothing else. */
export const REGISTER_STREAM = "HUD_REG";

export const REGISTER_SUBJECTS = ["hud.v1.dir.*"];

/** What each hub has of each other's mail: the last ack. On fabrics that were made before this one, they are in the other. */
export const ACK_STREAM = "HUD_ACK";

export const ACK_SUBJECTS = ["hud.v1.ack.*.*"];

/** `origin`: a hub, or `*` for all. The first letter stands alone, so that several streams can share the load. */
export function linkSubject(dest: HubId, origin: string): string {
  return `hud.v1.link.${dest.charAt(0)}.${dest}.${origin}`;
}

export function ackSubject(dest: HubId, origin: string): string {
  return `hud.v1.ack.${dest}.${origin}`;
}

export function rpcSubject(dest: HubId, origin: string): string {
  return `hud.v1.rpc.${dest}.${origin}`;
}

export function memberSubject(hub: HubId): string {
  return `hud.v1.dir.${hub}`;
}

/** Only there may an answer go: senders choose reply subjects, and would have us publish on those of others. */
export function inboxPrefix(hub: HubId): string {
  return `_INBOX.${hub}`;
}

/** Who published on a subject of these; undefined for any other subject. */
export function originOf(subject: string, subjectFrom: (origin: HubId) => string): HubId | undefined {
  const origin = subject.slice(subject.lastIndexOf(".") + 1);
  return /^[a-z2-7]{32}$/.test(origin) && subject === subjectFrom(origin) ? origin : undefined;
}
