import type { RefObject } from "react";
import { goTo } from "../shell/places.js";
import { useKeys } from "../shell/use-keys.js";

/** Keys of the page: they move among the cards, and act on the one that has the focus, on no other. */
export function useNeedKeys(list: RefObject<HTMLElement | null>): void {
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
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  // A key that is held down is one press.
  const press = (key: string) => (event: KeyboardEvent) => {
    if (event.repeat) return;
    const card = focused();
    card?.querySelector<HTMLButtonElement>(`[data-act-key="${key}"]`)?.click();
    // The button may be gone with what was pressed; the card stays.
    window.requestAnimationFrame(() => {
      if (card !== undefined && document.activeElement === document.body) card.focus();
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
  useKeys("Needs you", [
    { keys: "k", label: "item", pair: "j", act: () => move(-1) },
    { keys: "j", label: "next item", quiet: true, act: () => move(1) },
    { keys: "o", label: "allow once", act: press("o") },
    { keys: "s", label: "session", act: press("s") },
    { keys: "a", label: "always", act: press("a") },
    { keys: "d", label: "deny", act: press("d") },
    { keys: "Enter", label: "open", act: open },
    { keys: "r", label: "reply", quiet: true, act: reply },
  ]);
}
