import { create } from "zustand";
import { HubError } from "../../model/errors.js";
import { newUuid7 } from "../../model/uuid7.js";
import { useConnection } from "./connection.js";
import { hub, passesByItself } from "./hub.js";

/*
 * What the person sends. Each has its id before it leaves, so that sending it again is sending it once. They leave in order:
 *
 *   waiting → sending → sent → gone, once its event came
 *   sending → waiting, when the hub does not answer; sending → refused, when it says no
 *
 * They are kept for this tab, over reloads, until they are sent or discarded.
 */
export type Outgoing = {
  id: string;
  /** An agent's id or address; null: to all, or to a team. */
  to: string | null;
  team?: string | undefined;
  text: string;
  replyTo?: string | undefined;
  attention?: "queue" | "interrupt" | "fyi" | undefined;
  at: number;
  state:
    | { kind: "waiting" }
    | { kind: "sending" }
    | { kind: "sent"; seq: number }
    | { kind: "refused"; why: string };
};

type Letter = Pick<Outgoing, "to" | "text" | "team" | "replyTo" | "attention">;

const KEY = "huddle.outbox";

export const useOutbox = create<{ items: readonly Outgoing[] }>(() => ({ items: readKept() }));

/** Gives the id under which it is known from now on. */
export function sendLetter(letter: Letter): string {
  const id = newUuid7();
  change((items) => [...items, { ...letter, id, at: Date.now(), state: { kind: "waiting" } }]);
  void flush();
  return id;
}

export function discardLetter(id: string): void {
  change((items) => items.filter((item) => item.id !== id));
}

/** One that was refused, again: the same id, so that it cannot be there twice. */
export function retryLetter(id: string): void {
  setState(id, { kind: "waiting" });
  void flush();
}

/** Their events came: what was sent is in the history now. */
export function settleOutbox(place: number): void {
  const { items } = useOutbox.getState();
  const isDone = ({ state }: Outgoing) => state.kind === "sent" && state.seq <= place;
  if (items.some(isDone)) change((all) => all.filter((item) => !isDone(item)));
}

let isFlushing = false;

/** One after the other; the first that finds no hub ends it, until the connection is back. */
export async function flush(): Promise<void> {
  if (isFlushing) return;
  isFlushing = true;
  try {
    for (;;) {
      const next = useOutbox.getState().items.find(({ state }) => state.kind === "waiting");
      if (next === undefined) return;
      setState(next.id, { kind: "sending" });
      const state = await post(next);
      setState(next.id, state);
      if (state.kind === "waiting") return;
    }
  } finally {
    isFlushing = false;
  }
}

async function post({ id, to, text, team, replyTo, attention }: Outgoing): Promise<Outgoing["state"]> {
  const about = { message: text, id, ...(attention === undefined ? {} : { attention }) };
  try {
    if (to === null) {
      await hub.broadcast({ ...about, ...(team === undefined ? {} : { team }) }, { timeoutMs: 5_000 });
      return { kind: "sent", seq: 0 };
    }
    const reply = replyTo === undefined ? {} : { reply_to: replyTo };
    const { seq } = await hub.send(to, { ...about, ...reply }, { timeoutMs: 5_000 });
    return { kind: "sent", seq };
  } catch (error) {
    if (passesByItself(error)) return { kind: "waiting" };
    // The page asks for a new token first; then it goes on.
    if (error instanceof HubError && error.code === "UNAUTHENTICATED") return { kind: "waiting" };
    return { kind: "refused", why: error instanceof Error ? error.message : "It could not be sent" };
  }
}

useConnection.subscribe(({ connection }, before) => {
  if (connection.kind === "live" && before.connection.kind !== "live") void flush();
});

function setState(id: string, state: Outgoing["state"]): void {
  change((items) => items.map((item) => (item.id === id ? { ...item, state } : item)));
}

function change(by: (items: readonly Outgoing[]) => readonly Outgoing[]): void {
  const items = by(useOutbox.getState().items);
  useOutbox.setState({ items });
  window.sessionStorage.setItem(KEY, JSON.stringify(items.filter(({ state }) => state.kind !== "sent")));
}

/** What was under way when the page was left may have arrived: its id makes it safe to send again. */
function readKept(): readonly Outgoing[] {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(KEY) ?? "[]");
    if (!Array.isArray(kept)) return [];
    const items: readonly unknown[] = kept;
    return items.filter(isOutgoing).map((item) => ({
      ...item,
      state: item.state.kind === "refused" ? item.state : { kind: "waiting" },
    }));
  } catch {
    return [];
  }
}

function isOutgoing(item: unknown): item is Outgoing {
  return (
    typeof item === "object" &&
    item !== null &&
    "id" in item &&
    "text" in item &&
    "to" in item &&
    "state" in item
  );
}
