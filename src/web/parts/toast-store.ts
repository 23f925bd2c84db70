import { create } from "zustand";

/*
 * At most three, the newest last. One that tells of a failure stays until it is closed; the others go after six seconds.
 */

export type Toast = {
  id: number;
  tone: "done" | "held" | "failed";
  title: string;
  text?: string | undefined;
  action?: { label: string; act: () => void } | undefined;
};

const MOST = 3;
const STAYS_MS = 6000;
let lastId = 0;

export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));

/** Gives what closes it early. */
export function showToast(toast: Omit<Toast, "id">): () => void {
  lastId += 1;
  const id = lastId;
  useToasts.setState(({ toasts }) => ({ toasts: makeRoom([...toasts, { ...toast, id }]) }));
  const close = () => closeToast(id);
  if (toast.tone !== "failed") globalThis.setTimeout(close, STAYS_MS);
  return close;
}

export function closeToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
}

/** What goes first is the oldest that does not tell of a failure. */
function makeRoom(toasts: readonly Toast[]): readonly Toast[] {
  if (toasts.length <= MOST) return toasts;
  const goes = toasts.slice(0, -1).find(({ tone }) => tone !== "failed") ?? toasts[0];
  return toasts.filter((toast) => toast !== goes);
}
