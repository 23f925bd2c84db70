import { useCallback, useState } from "react";

/* What was written and not sent, for each agent by itself. It outlives the page. */

const keyOf = (agent: string) => `huddle.draft.${agent}`;

function readDraft(agent: string): string {
  return localStorage.getItem(keyOf(agent)) ?? "";
}

function keepDraft(agent: string, text: string): void {
  if (text === "") localStorage.removeItem(keyOf(agent));
  else localStorage.setItem(keyOf(agent), text);
}

/** `agent` is an id, so that a rename does not lose it. */
export function useDraft(agent: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ agent, text: readDraft(agent) }));
  const text = draft.agent === agent ? draft.text : readDraft(agent);
  const change = useCallback(
    (next: string) => {
      keepDraft(agent, next);
      setDraft({ agent, text: next });
    },
    [agent],
  );
  return [text, change];
}
