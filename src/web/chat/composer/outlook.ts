import type { AgentStatus } from "../../../model/agent.js";
import { sayClock, toMs } from "../../parts/time.js";

/* What will happen to a message, said before it is sent. */

export type Recipient = {
  name: string;
  backend: string | null;
  state: AgentStatus;
  since: string;
  until?: string | undefined;
  paused?: boolean | undefined;
  /** It fetches its mail by itself. */
  pulls: boolean;
};

export type Mode = "queue" | "interrupt";

export function sayOutlook(to: Recipient | "all" | undefined, mode: Mode, count: number): string {
  if (to === undefined) return "";
  if (to === "all") return `Goes to ${count} agent${count === 1 ? "" : "s"}, and asks you first.`;
  if (to.paused === true) return "It is paused: this is held until you resume it.";
  switch (to.state) {
    case "offline":
    case "dead":
      return `It is ${to.state}: this is held until it is back.`;
    case "limited":
      return `Its vendor's usage limit: this is held${to.until === undefined ? "" : ` until ${sayClock(toMs(to.until))}`}.`;
    case "busy":
    case "waiting":
    case "stalled":
      if (to.pulls) return "It reads this when it next looks for messages.";
      return mode === "interrupt"
        ? "Stops its turn now; it reads this next."
        : "It reads this when its turn ends.";
    case "dormant":
      return "It is loaded, and reads this.";
    case "starting":
      return "It reads this as soon as it has started.";
    case "error":
      return "It failed, and is tried again with this.";
    case "idle":
    case "listening":
    case "rate_limited":
      return to.pulls && to.state !== "listening"
        ? "It reads this when it next looks for messages."
        : "It reads this at once.";
  }
}

/** The short form, beside a name in the list: only where it is not simply read. */
export function sayBriefly(to: Recipient): string | undefined {
  if (to.paused === true) return "paused, will be held";
  if (to.state === "offline" || to.state === "dead") return `${to.state}, will be held`;
  if (to.state === "limited")
    return `usage limit, held${to.until === undefined ? "" : ` until ${sayClock(toMs(to.until))}`}`;
  return undefined;
}
