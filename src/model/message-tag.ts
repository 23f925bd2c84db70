import { nameIn } from "./address.js";
import type { Message } from "./message.js";

/** The last 8 hexadecimal digits of an id. */
const END = 8;
/** Fewer digits would name too many messages; as many as a UUID has are an id. */
const LEAST = 4;
const WHOLE = 32;

/** By which a model names a message: `MSG_<SENDER>_<last 8 hex of the id>`. */
export function tagOf({ fromName, id }: Pick<Message, "fromName" | "id">): string {
  return `MSG_${nameIn(fromName)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "_")}_${endOf(id)}`;
}

export function endOf(id: string): string {
  return hexOf(id).slice(-END).padStart(END, "0");
}

/** Whether somebody may mean this message by a tag, or by the end of its id. */
export function isNamed(message: Pick<Message, "fromName" | "id">, named: string): boolean {
  return isTag(named) ? tagOf(message) === named : plain(message.id).endsWith(plain(named));
}

function plain(id: string): string {
  return id.replaceAll("-", "").toLowerCase();
}

/** The digits, at most 8, that the id of a message so named ends with; undefined if this can only be a whole id. */
export function namedEnd(named: string): string | undefined {
  if (isTag(named)) return named.slice(-END);
  const digits = /^[0-9a-f-]+$/i.test(named) ? hexOf(named) : "";
  return digits.length >= LEAST && digits.length < WHOLE ? digits.slice(-END) : undefined;
}

export function isTag(text: string): boolean {
  return /^MSG_[A-Z0-9_]+_[0-9a-f]{8}$/.test(text);
}

function hexOf(id: string): string {
  return id.replace(/[^0-9a-f]/gi, "").toLowerCase();
}
