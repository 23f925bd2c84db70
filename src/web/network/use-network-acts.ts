import { useState } from "react";
import type { PairAction } from "../../model/pair.js";
import { hub } from "../hub/hub.js";
import { refreshLater } from "../hub/refresh-later.js";
import { sayWhy } from "../parts/error-card.js";
import { showToast, type Toast } from "../parts/toast-store.js";

type PairName = { from: string; to: string };
type Decision = "continue" | "freeze";

/** What the person does about a pair or a conversation. One thing at a time; what came of it is told beside the page. */
export type NetworkActs = {
  /** What is under way: `pause`, `continue` and so on. */
  working: string | undefined;
  decidePair: (pair: PairName, action: PairAction) => void;
  decideConversation: (id: string, decision: Decision) => void;
};

export function useNetworkActs(): NetworkActs {
  const [working, setWorking] = useState<string>();

  async function run(what: string, call: () => Promise<Omit<Toast, "id">>): Promise<void> {
    if (working !== undefined) return;
    setWorking(what);
    try {
      showToast(await call());
    } catch (error) {
      showToast({ tone: "failed", title: "Nothing was changed", text: sayWhy(error) });
    } finally {
      setWorking(undefined);
      refreshLater(["network"]);
      refreshLater(["needs"]);
    }
  }

  const decidePair = (pair: PairName, action: PairAction) =>
    void run(action, async () => {
      const { from, to, released } = await hub.decidePair(pair.from, pair.to, action);
      const name = `${from} → ${to}`;
      switch (action) {
        case "pause":
          return {
            tone: "held",
            title: `${name} is paused`,
            text: "Its mail waits until you resume it.",
            action: { label: "Undo", act: () => decidePair(pair, "resume") },
          };
        case "resume":
          return { tone: "done", title: `${name} goes on`, text: sayReleased(released) };
        case "reset":
          return { tone: "done", title: `${name} has no cooldown now`, text: sayReleased(released) };
      }
    });

  const decideConversation = (id: string, decision: Decision) =>
    void run(decision, async () => {
      const { messages } = await hub.decideConversation(id, decision);
      if (decision === "continue")
        return { tone: "done", title: "The conversation goes on", text: sayReleased(messages) };
      return {
        tone: "held",
        title: "The conversation is frozen",
        text:
          messages === 0 ? "Agents cannot write in it." : `${messages} held failed; their senders are told.`,
        action: { label: "Continue", act: () => decideConversation(id, "continue") },
      };
    });

  return { working, decidePair, decideConversation };
}

function sayReleased(messages: number): string {
  if (messages === 0) return "Nothing was waiting.";
  return messages === 1 ? "1 held message can be read now." : `${messages} held messages can be read now.`;
}
