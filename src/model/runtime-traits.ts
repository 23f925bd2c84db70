import type { Route, TakenEvidence } from "./delivery.js";
import type { RuntimeKind } from "./hosting.js";

/** What sets the ways of driving an agent apart. Whoever drives an agent asks for these, and not for the name of its runtime. */
type RuntimeTraits = {
  /** What goes into the agent: a whole prompt, or a line that may only say that there is mail. */
  takes: "text" | "line";
  route: Route;
  /** How it is known that the agent took it. */
  evidence: TakenEvidence;
  /** The hub sees each turn from its beginning to its end, so that it knows what the agent was handed in it. */
  seesTurns: boolean;
  /** It is on a screen, which is the person's: it outlives the hub, and is not ended because it is idle or takes long. */
  onScreen: boolean;
  /** The form of its CLI that a backend must have. */
  needs?: "acp";
};

export const runtimeTraits: Readonly<Record<RuntimeKind, RuntimeTraits>> = {
  acp: {
    takes: "text",
    route: "runtime",
    evidence: "acp_prompt",
    seesTurns: true,
    onScreen: false,
    needs: "acp",
  },
  headless: {
    takes: "text",
    route: "runtime",
    evidence: "process_started",
    seesTurns: true,
    onScreen: false,
  },
  tmux: {
    takes: "line",
    route: "pane",
    evidence: "pane_took_it",
    seesTurns: false,
    onScreen: true,
  },
};

export function isOnScreen(agent: { runtime: RuntimeKind | null } | undefined): boolean {
  return agent !== undefined && agent.runtime !== null && runtimeTraits[agent.runtime].onScreen;
}
