export type TurnId = string;

/** How a turn ended: in the agent's words, or by what cut it. */
const turnStops = [
  "end_turn",
  "cancelled",
  "max_tokens",
  "max_turns",
  "refusal",
  "error",
  "limited",
  "not_taken",
  "died",
  "hub_restart",
  "hub_stop",
] as const;
export type TurnStop = (typeof turnStops)[number];

/** How a turn ended on another hub: a word that this one does not know is an end like any other. */
export function readTurnStop(word: string | undefined): TurnStop {
  return turnStops.find((one) => one === word) ?? "end_turn";
}

/** What a turn used, as far as the vendor told. */
/** How much of its context window an agent has used, in tokens. */
export type ContextUse = { used: number; size: number };

export type TurnUsage = { inputTokens?: number; outputTokens?: number; costUsd?: number };

/** A call of a tool, as it was last seen. Turns from before these were kept lack the optional ones. */
export type TurnTool = {
  title: string;
  status: "pending" | "running" | "done" | "failed";
  /** What kind of act it is, in ACP's words. */
  act?: string;
  /** How long it ran. */
  ms?: number;
  /** How much of the turn's text stood when it was called. */
  offset?: number;
};

export type TurnPlan = readonly { text: string; status: string }[];

/** What is missing at the beginning: characters of a text, calls of tools. */
export type TurnCut = { text?: number; thoughts?: number; tools?: number };

/** What an agent did in a turn besides talking; of each only so much. */
export type TurnWork = {
  thoughts?: string;
  /** Calls of tools, oldest first. */
  tools?: readonly TurnTool[];
  plan?: TurnPlan;
  cut?: TurnCut;
};

/** How an agent's process ended. */
export type AgentExit = { code: number | null; signal: string | null; stderr: string };

/** What is kept of a text that an agent wrote: its end says most. */
export function keepEnd(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(-most)}`;
}
