import { sayAge, sayClock, sayLength, sayOffset, toMs } from "../../parts/time.js";
import type { Delivery, Message, Step } from "./mail.js";

/*
 * How far a message has come, for the line below its bubble: five rungs (accepted, offered, injected, seen, answered), four for
 * agents that fetch their mail themselves, and a few words. A rung is green only when the message was answered. The second is
 * amber when it was held, and stays so.
 */

type RungTone = "off" | "done" | "held" | "failed" | "answered";

export type Receipt = {
  rungs: readonly RungTone[];
  words: readonly string[];
  /** The one word that a phone shows. */
  last: string;
  tone: "quiet" | "held" | "failed";
};

const ENDS: readonly string[] = ["expired", "refused", "failed"];
/** Ways in which an agent fetches its mail: nothing is put into it. */
const FETCHED: readonly string[] = ["inbox", "wait", "hook"];

export type ReceiptFacts = {
  /** The recipient fetches its mail; where the steps do not tell. */
  pulls?: boolean;
  now: number;
};

export function describeReceipt(delivery: Delivery, facts: ReceiptFacts): Receipt {
  const { steps, state } = delivery;
  const names = rungNames(steps, facts.pulls === true);
  const reached = furthest(steps, names);
  const ended = ENDS.includes(state);
  const held = state === "held";
  const rungs = names.map((name, index): RungTone => {
    if (name === "answered" && state === "answered") return "answered";
    if (ended && index === Math.min(reached + 1, names.length - 1)) return "failed";
    if (index === 1 && (held || wasHeld(steps))) return "held";
    return index <= reached ? "done" : "off";
  });
  const words = held ? [heldWords(delivery, facts)] : [...pastWords(steps), ...nowWords(delivery)];
  return {
    rungs,
    words,
    last: words.at(-1) ?? state,
    tone: held ? "held" : ended ? "failed" : "quiet",
  };
}

/** What stands before the state of the delivery: that the person's is a request, that it interrupts, and what it answers. */
export function introduceReceipt(message: Message, answered: Message | undefined): string[] {
  return [
    ...(message.source === "user" && message.type === "request" ? ["request"] : []),
    ...(message.task_id === undefined ? [] : ["task"]),
    ...(message.attention === "queue" ? [] : [message.attention]),
    ...(answered === undefined ? [] : [`in reply to ${sayClock(toMs(answered.timestamp))}`]),
  ];
}

function rungNames(steps: readonly Step[], pulls: boolean): readonly string[] {
  const route = steps.findLast((step) => step.route !== undefined)?.route;
  const fetched = route === undefined ? pulls : FETCHED.includes(route);
  return fetched
    ? ["accepted", "offered", "seen", "answered"]
    : ["accepted", "offered", "injected", "seen", "answered"];
}

/** The last rung that was reached and not taken back. */
function furthest(steps: readonly Step[], names: readonly string[]): number {
  let reached = 0;
  for (const { state } of steps) {
    if (state === "accepted") reached = 0;
    else if (state === "finished" || state === "answered") reached = names.length - 1;
    else reached = Math.max(reached, names.indexOf(state));
  }
  return reached;
}

function wasHeld(steps: readonly Step[]): boolean {
  return steps.some(({ state }) => state === "held");
}

const reasons: Readonly<Record<string, string>> = {
  cooldown: "cooldown",
  budget: "budget, waits for you",
  backstop: "too many messages without you, waits for you",
  pane_not_ready: "its pane is not ready",
  pane_did_not_take: "its pane did not take it",
};

function heldWords({ reason, until }: Delivery, { now }: ReceiptFacts): string {
  const why = reason === null ? "waits" : (reasons[reason] ?? reason);
  const left = until === undefined ? undefined : Date.parse(until) - now;
  return `held: ${why}${left === undefined || left <= 0 ? "" : `, due in ${sayAge(left)}`}`;
}

const overWords: Readonly<Record<string, string>> = {
  budget: ": conversation paused, you let it go on",
  backstop: ": too many messages without you, you let it go on",
};

/** What is over and still worth a word: that it was held for long. */
function pastWords(steps: readonly Step[]): string[] {
  const held = steps.find(({ state }) => state === "held");
  const released = steps.find(({ state, at }) => state !== "held" && held !== undefined && at > held.at);
  if (held === undefined || released === undefined) return [];
  const ms = Date.parse(released.at) - Date.parse(held.at);
  if (ms < 1000) return [];
  const words =
    held.reason === undefined ? "" : (overWords[held.reason] ?? `: ${reasons[held.reason] ?? held.reason}`);
  return [`was held ${roughly(ms)}${words}`];
}

/** What it waits for since it could be handed out: offsets count from there. */
function beganAt(steps: readonly Step[]): number {
  const released = steps.findLast(({ state, reason }) => state === "accepted" && reason === "released");
  return Date.parse((released ?? steps[0])?.at ?? "");
}

function nowWords({ steps, state, reason }: Delivery): string[] {
  const from = beganAt(steps);
  const since = (name: string) => {
    const step = steps.findLast((one) => one.state === name);
    return step === undefined ? undefined : `${name} ${sayOffset(toMs(step.at) - from)}`;
  };
  const seen = since("seen");
  switch (state) {
    case "answered":
      return [since("injected"), seen, since("answered")].filter((words) => words !== undefined);
    case "finished": {
      const stop = steps.findLast((step) => step.state === "finished")?.stop;
      const finished = stop === undefined || stop === "end_turn" ? since("finished") : `finished: ${stop}`;
      return [seen, finished].filter((words) => words !== undefined);
    }
    case "seen":
      return seen === undefined ? ["seen"] : [seen];
    case "offered": {
      const attempt = steps.findLast((step) => step.state === "offered")?.attempt ?? 1;
      return [attempt > 1 ? `offered, attempt ${attempt}` : "offered"];
    }
    case "accepted":
      return [
        reason === null || reason === "released"
          ? "accepted"
          : `accepted again: ${reason.replaceAll("_", " ")}`,
      ];
    case "injected":
      return [reason === "mixed" ? "injected, mixed with what was typed" : "injected"];
    case "expired":
    case "failed":
    case "refused":
      return [reason === null ? state : `${state}: ${reason.replaceAll("_", " ")}`];
    case "held":
      return [];
  }
}

/** Long waits in one unit: `15 min`. */
function roughly(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return sayLength(ms);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
