import type { RefObject } from "react";
import { announce } from "../shell/announcer.js";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";

/** Keys of the page: they move among the cards, and act on the one that has the focus, on no other. */
export function useNeedKeys(list: RefObject<HTMLElement | null>, isEmpty: boolean): void {
  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-need]") ?? [])];
  const focused = () => {
    const card = document.activeElement?.closest<HTMLElement>("[data-need]") ?? undefined;
    return card !== undefined && list.current?.contains(card) === true ? card : undefined;
  };
  const move = (step: number) => {
    const all = cards();
    const now = focused();
    const at = now === undefined ? (step > 0 ? -1 : all.length) : all.indexOf(now);
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    if (next !== undefined) showCard(next, list.current);
  };
  // A key that is held down is one press.
  const press = (key: string) => (event: KeyboardEvent) => {
    if (event.repeat) return;
    const card = focused();
    if (card === undefined) return;
    // What is longer than the page is read to its end before a key allows it.
    if (key !== "d" && key !== "Escape" && !isEndSeen(card, list.current)) return readOn(list.current);
    card.querySelector<HTMLButtonElement>(`[data-act-key="${key}"]`)?.click();
    // The button may be gone with what was pressed; the card stays.
    window.requestAnimationFrame(() => {
      if (document.activeElement === document.body) card.focus();
    });
  };
  const open = (event: KeyboardEvent) => {
    const { target } = event;
    // Anywhere else Enter presses what has the focus.
    if (target instanceof HTMLElement && target.matches("button, a")) return target.click();
    const { agent } = focused()?.dataset ?? {};
    if (agent !== undefined) goTo({ page: "agent", name: agent });
  };
  const reply = () => focused()?.querySelector<HTMLElement>("[data-reply]")?.focus();
  const keys = [
    { keys: "k", label: "item", pair: "j", act: () => move(-1) },
    { keys: "j", label: "next item", quiet: true, act: () => move(1) },
    { keys: "o", label: "allow once", act: press("o") },
    { keys: "s", label: "session", act: press("s") },
    { keys: "a", label: "always", act: press("a") },
    { keys: "d", label: "deny", act: press("d") },
    { keys: "Enter", label: "open", act: open },
    { keys: "r", label: "reply", quiet: true, act: reply },
    { keys: "Escape", label: "back", quiet: true, act: press("Escape") },
  ];
  useKeys("Needs you", keys, { off: isEmpty });
}

/** One that is longer than the page is shown from its beginning. */
export function showCard(card: HTMLElement, list: HTMLElement | null): void {
  card.focus({ preventScroll: true });
  const isLong = list !== null && card.offsetHeight > list.clientHeight;
  card.scrollIntoView({ block: isLong ? "start" : "nearest" });
}

/** Its buttons stand below all that they decide upon: whoever sees them has come past it. */
function isEndSeen(card: HTMLElement, list: HTMLElement | null): boolean {
  const actions = card.querySelector(".need__actions");
  if (actions === null || list === null) return false;
  return actions.getBoundingClientRect().top < list.getBoundingClientRect().bottom;
}

function readOn(list: HTMLElement | null): void {
  if (list === null) return;
  list.scrollBy({ top: list.clientHeight - 60 });
  announce("There is more of it. Read it to its end; then the key works.");
}
