import { nameIn } from "./address.js";
import type { Message } from "./message.js";

/** By which a pane shows that it has a message: `MSG_<SENDER>_<last 8 hex of the id>`. */
export function tagOf({ fromName, id }: Pick<Message, "fromName" | "id">): string {
  const hex = id.replace(/[^0-9a-f]/gi, "").toLowerCase();
  return `MSG_${nameIn(fromName).toUpperCase().replaceAll("-", "_")}_${hex.slice(-8).padStart(8, "0")}`;
}

export function isTag(text: string): boolean {
  return /^MSG_[A-Z0-9_]+_[0-9a-f]{8}$/.test(text);
}
