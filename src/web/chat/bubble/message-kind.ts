import type { Message } from "./mail.js";

/** How a message stands in the chat of an agent. */
export type MessageKind = "human" | "applet" | "agent" | "notice" | "sent";

export function kindOf(message: Message, own: { id: string; name: string }): MessageKind {
  if (message.notice !== undefined || message.from === "hub") return "notice";
  if (message.source === "applet") return "applet";
  if (message.source === "user") return "human";
  return isFrom(message, own) && message.to !== "user" ? "sent" : "agent";
}

/** By its id: an old message keeps the name that it was sent under. */
export function isFrom(message: Message, own: { id: string; name: string }): boolean {
  return message.fromSession === undefined ? message.from === own.name : message.fromSession === own.id;
}

/** How long mail may take to be delivered before the bubble says so. */
const LATE_MS = 60_000;

/** When it was composed and delivered, if that is far apart. */
export function lateness(
  message: Message,
  delivered: string | undefined,
): { composed: string; delivered: string } | undefined {
  if (delivered === undefined) return undefined;
  const late = Date.parse(delivered) - Date.parse(message.timestamp) >= LATE_MS;
  return late ? { composed: message.timestamp, delivered } : undefined;
}
