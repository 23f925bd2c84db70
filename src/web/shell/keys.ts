import { create } from "zustand";

/*
 * The keys that work now. Whatever is on the page registers its own; of two that want the same key, the one that came later,
 * which is the one further inside, has it. Letters do nothing while somebody writes; a dialog has the keys of its own only.
 */

export type KeyBinding = {
  /** `j`, `Escape`, `mod+k` (⌘ or Ctrl), or two after each other: `g c`. */
  keys: string;
  /** What it does, in a word or two. */
  label: string;
  act: (event: KeyboardEvent) => void;
  /** In the footer it stands with the one before it, under the label of this one: `j k message`. */
  pair?: string;
  /** Not in the footer, only among all keys. */
  quiet?: boolean;
  /** Also while somebody writes. */
  whileWriting?: boolean;
};

export type KeyScope = {
  id: symbol;
  name: string;
  bindings: readonly KeyBinding[];
  inDialog: boolean;
  /** Around all others: it is registered last, since what is further inside is ready first. */
  isOuter?: boolean;
};

export const useKeyScopes = create<{ scopes: readonly KeyScope[] }>(() => ({ scopes: [] }));

export function addScope(scope: KeyScope): () => void {
  useKeyScopes.setState(({ scopes }) => ({
    scopes: scope.isOuter === true ? [scope, ...scopes] : [...scopes, scope],
  }));
  return () =>
    useKeyScopes.setState(({ scopes }) => ({ scopes: scopes.filter(({ id }) => id !== scope.id) }));
}

/** Innermost first. While a dialog is open only its own count. */
export function activeScopes(scopes: readonly KeyScope[]): readonly KeyScope[] {
  const inDialog = scopes.filter((scope) => scope.inDialog);
  return (inDialog.length > 0 ? inDialog : scopes).toReversed();
}

type Pressed = Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey" | "shiftKey">;

/** As bindings are written: `k`, `K`, `mod+k`, `Escape`. */
export function nameKey({ key, metaKey, ctrlKey, altKey }: Pressed): string {
  const name = key === " " ? "Space" : key;
  if (metaKey || ctrlKey) return `mod+${name.length === 1 ? name.toLowerCase() : name}`;
  return altKey ? `alt+${name}` : name;
}

/** What a key does, after the one that was pressed before it; `prefix`: it is the first of two. */
export function findBinding(
  scopes: readonly KeyScope[],
  before: string | undefined,
  key: string,
  isWriting: boolean,
): KeyBinding | "prefix" | undefined {
  const all = activeScopes(scopes)
    .flatMap(({ bindings }) => bindings)
    .filter(({ whileWriting }) => !isWriting || whileWriting === true);
  if (before !== undefined) {
    const both = all.find(({ keys }) => keys === `${before} ${key}`);
    if (both !== undefined) return both;
  }
  return (
    all.find(({ keys }) => keys === key) ??
    (all.some(({ keys }) => keys.startsWith(`${key} `)) ? "prefix" : undefined)
  );
}

/** So long the second of two keys may take. */
const TOGETHER_MS = 1200;

/** Gives what ends it. */
export function listenForKeys(): () => void {
  let before: { key: string; at: number } | undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key)) return;
    const key = nameKey(event);
    const first = before !== undefined && event.timeStamp - before.at < TOGETHER_MS ? before.key : undefined;
    before = undefined;
    const found = findBinding(useKeyScopes.getState().scopes, first, key, isWriting(event.target));
    if (found === undefined) return;
    event.preventDefault();
    if (found === "prefix") before = { key, at: event.timeStamp };
    else found.act(event);
  };
  window.addEventListener("keydown", onKeyDown);
  return () => window.removeEventListener("keydown", onKeyDown);
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
