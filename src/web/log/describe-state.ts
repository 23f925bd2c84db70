import { deliveredAt } from "../chat/bubble/delivered-at.js";
import type { Delivery } from "../chat/bubble/mail.js";
import { sayAge } from "../parts/time.js";
import type { LogRow } from "./log-rows.js";

/** How far a message has come, in a word with its sign, and a word about it. */
type StateShown = {
  sign: Sign;
  word: string;
  about: string;
  tone: "plain" | "amber" | "red" | "green";
};
export type Sign = "ring" | "dot" | "bars" | "check" | "cross";

/** What comes so much later than it was sent is late. */
const LATE_MS = 5 * 60_000;

export function describeState(row: LogRow): StateShown {
  if (row.kind === "turn") {
    const { stop } = row.turn;
    return stop === "end_turn" || stop === null
      ? { sign: "dot", word: "ended", about: "", tone: "plain" }
      : { sign: "ring", word: "cut", about: stop.replaceAll("_", " "), tone: "plain" };
  }
  const { deliveries, recipients } = row.message;
  const [first] = deliveries;
  if (first === undefined) return { sign: "ring", word: "sent", about: "", tone: "plain" };
  if (recipients === 1) return describeDelivery(first);
  return describeMany(deliveries, recipients);
}

function describeDelivery(delivery: Delivery): StateShown {
  const { state, reason } = delivery;
  switch (state) {
    case "held":
      return { sign: "bars", word: "held", about: brief(reason), tone: "amber" };
    case "answered":
      return { sign: "check", word: "answered", about: lateness(delivery), tone: "green" };
    case "finished":
      return { sign: "dot", word: "finished", about: lateness(delivery), tone: "plain" };
    case "expired":
    case "refused":
    case "failed":
      return { sign: "cross", word: state, about: brief(reason), tone: "red" };
    default:
      return { sign: "ring", word: state, about: lateness(delivery), tone: "plain" };
  }
}

/** Of what went to many: what is worst, else how many have come furthest. */
function describeMany(deliveries: readonly Delivery[], recipients: number): StateShown {
  const worst =
    deliveries.find(({ state }) => ["failed", "refused", "expired"].includes(state)) ??
    deliveries.find(({ state }) => state === "held");
  if (worst !== undefined) {
    const count = deliveries.filter(({ state }) => state === worst.state).length;
    return { ...describeDelivery(worst), about: `${count} of ${recipients}` };
  }
  const seen = deliveries.filter(({ state }) => ["seen", "finished", "answered"].includes(state)).length;
  return { sign: "ring", word: "seen", about: `${seen} of ${recipients}`, tone: "plain" };
}

/** The code of a reason as a word; a sentence is in the details. */
function brief(reason: string | null): string {
  if (reason === null) return "";
  const [, absence] = /^"[^"]*" (?:is|has reached) (\w+)/.exec(reason) ?? [];
  return (absence ?? reason.split(/[:,]/)[0] ?? "").replaceAll("_", " ").slice(0, 24);
}

function lateness(delivery: Delivery): string {
  const came = deliveredAt(delivery);
  const began = delivery.steps[0]?.at;
  if (came === undefined || began === undefined) return "";
  const ms = Date.parse(came) - Date.parse(began);
  return ms < LATE_MS ? "" : `late ${sayAge(ms)}`;
}
