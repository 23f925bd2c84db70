import { create } from "zustand";

/** Undefined: it is closed; else what stands in it at first. */
export const usePalette = create<{ opened: string | undefined }>(() => ({ opened: undefined }));

/** `#` begins a search for messages, `@` for agents, `>` for actions. */
export function openPalette(text = ""): void {
  usePalette.setState({ opened: text });
}

export function closePalette(): void {
  usePalette.setState({ opened: undefined });
}
