import { create } from "zustand";

/** The one polite live region: what has happened, in a sentence, for those who do not see it. Finished things only. */
const useAnnounced = create<{ text: string }>(() => ({ text: "" }));

/** The newest takes the place of what was not read out yet. */
export function announce(text: string): void {
  // The same words twice are read out twice only if they differ.
  useAnnounced.setState(({ text: before }) => ({ text: before === text ? `${text}\u00a0` : text }));
}

export function Announcer() {
  const text = useAnnounced((state) => state.text);
  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  );
}
