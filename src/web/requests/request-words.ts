import { sayAge, sayElapsed, toMs } from "../parts/time.js";
import type { ShownRequest } from "./use-requests.js";

/** Its first line is what it is about; the rest stands below. */
export function splitDescription({ description, context }: Pick<ShownRequest, "description" | "context">): {
  title: string;
  more: string;
} {
  const [title = "", ...rest] = description.trim().split("\n");
  return {
    title,
    more: [rest.join("\n").trim(), context?.trim() ?? ""].filter((part) => part !== "").join("\n\n"),
  };
}

/** `you` for the person. */
export function nameOf(party: string): string {
  return party === "user" ? "you" : party;
}

/** `claimed after 4 s` */
export function sayClaimed({ timestamp, claimed_at }: ShownRequest): string {
  return claimed_at === undefined ? "claimed" : `claimed after ${sayAge(toMs(claimed_at) - toMs(timestamp))}`;
}

/** `answered in 1:51` */
export function sayAnswered({ timestamp, answered_at }: ShownRequest): string {
  return answered_at === undefined
    ? "answered"
    : `answered in ${sayElapsed(toMs(answered_at) - toMs(timestamp))}`;
}

/** `req-019a…c41f`: enough to tell one from another. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 4)}${id.slice(-4)}`;
}
