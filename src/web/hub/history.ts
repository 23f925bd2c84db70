import type { z } from "zod";
import type { deliveryView, messageRoutes } from "../../contract/http/messages.js";

/* The messages that an agent sent and got, as the page keeps them: newest first, in pages that reach in both directions. */

type Answer = z.output<typeof messageRoutes.history.response>;
export type HistoryMessage = Answer["messages"][number];
export type DeliveryView = z.output<typeof deliveryView>;
export type DeliveryStep = DeliveryView["steps"][number];

/** `older` and `newer` are where to go on in that direction; null: there is nothing there, or, for newer, not yet. */
export type HistoryPage = {
  messages: readonly HistoryMessage[];
  older: number | null;
  newer: number | null;
  /** The hub reads its journal anew: messages are missing that come later. */
  isPartial: boolean;
};

export type History = { pages: HistoryPage[]; pageParams: unknown[] };

/** What happened to deliveries, by the `seq` of their message. */
export type StepsBySeq = ReadonlyMap<number, readonly DeliveryChange[]>;

export type DeliveryChange = {
  /** By its address now; undefined for the only recipient. */
  to: string;
  /** `same`: a step that does not change how far it has come. */
  state: DeliveryView["state"] | "same";
  step: DeliveryStep;
};

/** Beyond this the oldest are let go: they are fetched again by whoever scrolls there. */
const MOST_MESSAGES = 1500;

/** The history with what was accepted since, and with the steps that deliveries took. Unchanged parts stay the same objects. */
export function advanceHistory(
  history: History,
  accepted: readonly HistoryMessage[],
  steps: StepsBySeq,
): History {
  const grown = addNewest(history, accepted);
  if (steps.size === 0) return grown;
  let hasChanged = false;
  const pages = grown.pages.map((page) => {
    if (!page.messages.some(({ seq }) => steps.has(seq))) return page;
    hasChanged = true;
    return {
      ...page,
      messages: page.messages.map((message) => moveDeliveries(message, steps.get(message.seq))),
    };
  });
  return hasChanged ? { ...grown, pages } : grown;
}

/** Only where the newest end is loaded; elsewhere they come when somebody goes there. */
function addNewest(history: History, accepted: readonly HistoryMessage[]): History {
  const [first, ...others] = history.pages;
  if (first === undefined || first.newer !== null || accepted.length === 0) return history;
  const newest = first.messages[0]?.seq ?? others[0]?.messages[0]?.seq ?? 0;
  const added = accepted.filter(({ seq }) => seq > newest).sort((a, b) => b.seq - a.seq);
  if (added.length === 0) return history;
  const page = { ...first, messages: [...added, ...first.messages] };
  return letGo({ ...history, pages: [page, ...others] });
}

/** From the oldest end, whole pages first. */
function letGo(history: History): History {
  let count = history.pages.reduce((sum, { messages }) => sum + messages.length, 0);
  if (count <= MOST_MESSAGES) return history;
  const pages = [...history.pages];
  for (let last = pages.at(-1); pages.length > 1 && last !== undefined; last = pages.at(-1)) {
    if (count - last.messages.length < MOST_MESSAGES / 2) break;
    count -= last.messages.length;
    pages.pop();
  }
  const end = pages.at(-1);
  if (end !== undefined) {
    const kept = end.messages.slice(0, Math.max(1, end.messages.length - Math.max(0, count - MOST_MESSAGES)));
    pages[pages.length - 1] = { ...end, messages: kept, older: kept.at(-1)?.seq ?? end.older };
  }
  return { pages, pageParams: history.pageParams.slice(0, pages.length) };
}

export function moveDeliveries(
  message: HistoryMessage,
  changes: readonly DeliveryChange[] | undefined,
): HistoryMessage {
  if (changes === undefined) return message;
  const deliveries = message.deliveries.map((delivery) =>
    changes
      .filter(({ to }) => message.deliveries.length === 1 || to === delivery.to)
      .reduce(moveDelivery, delivery),
  );
  return { ...message, deliveries };
}

/** A step that is there already, because it was fetched meanwhile, is not taken twice. */
export function moveDelivery(
  delivery: DeliveryView,
  { state, step }: Pick<DeliveryChange, "state" | "step">,
): DeliveryView {
  const isKnown = delivery.steps.some(
    (one) => one.state === step.state && one.at === step.at && one.reason === step.reason,
  );
  if (isKnown) return delivery;
  const steps = [...delivery.steps, step];
  const isAnswered = delivery.state === "answered" || step.state === "answered";
  const next = isAnswered ? "answered" : state === "same" ? reachedBy(delivery, step) : state;
  return {
    ...delivery,
    steps,
    state: next,
    at: next === delivery.state ? delivery.at : step.at,
    evidence: step.evidence ?? step.route ?? delivery.evidence,
    reason: next === "held" || next === step.state ? (step.reason ?? null) : null,
  };
}

/** What a pane was only told of is not injected in earnest, but that it was told is how far it has come. */
function reachedBy(delivery: DeliveryView, step: DeliveryStep): DeliveryView["state"] {
  if (step.state === "injected" && delivery.state === "offered") return "injected";
  return step.state === "held" && delivery.state === "accepted" ? "held" : delivery.state;
}
