import { nameIn } from "./address.js";
import type { Message } from "./message.js";
import { quoteBlock, withoutMark } from "./others-words.js";
import { typedLine } from "./typed-message.js";

/**
 * The words of a message as a model reads them: nothing in them passes for a line of ours. What its fields say stands first, and is not
 * quoted: the hub vouches for it.
 */
export function quoteMessage({ content, typed, fromName }: Message, mark?: string): string {
  const said = typed && typedLine(typed);
  const line = said === undefined || mark === undefined ? said : withoutMark(said, mark);
  if (line !== undefined && (content === said || content === "")) return line;
  const words = quoteBlock(content, { sender: nameIn(fromName), mark });
  return line === undefined ? words : `${line}\n${words}`;
}
