import { create } from "zustand";

/** Whether the list of all keys is open. */
export const useHelp = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export function openHelp(): void {
  useHelp.setState({ isOpen: true });
}

export function closeHelp(): void {
  useHelp.setState({ isOpen: false });
}
