import { type Effect, timerNames } from "./driver-model.js";

/* What the driver's machine asks for in several of its states. */

/** On a screen something may be asked outside a turn as well. */
export function asking(words: string): Effect {
  return { do: "status", status: "waiting", evidence: words };
}

export const answered: Effect = { do: "status", status: "idle", evidence: "its dialog was answered" };

export const cancelling: readonly Effect[] = [
  { do: "cancel_permissions" },
  { do: "cancel" },
  { do: "arm", timer: "cancel" },
];

export const disarmAll: readonly Effect[] = timerNames.map((timer) => ({ do: "disarm", timer }));
