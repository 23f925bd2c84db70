import type { AgentStatus } from "../../model/agent.js";
import type { Tone } from "./chip.js";

/** `unknown`: nothing was heard of the hub for a while. `paused`: somebody told it to stand still. */
export type ShownStatus = AgentStatus | "paused" | "unknown";

/** What stands beside the glyph besides its word: how long it goes on, how long ago it began, until when, or nothing. */
type Beside = "elapsed" | "age" | "until" | "nothing";

type StatusLook = {
  /** As people read it. */
  word: string;
  /** In a row, where there is no room for the word: who or what is waited for. */
  short?: string;
  tone: Extract<Tone, "plain" | "blue" | "amber" | "red"> | "dim";
  beside: Beside;
};

export const statusLooks: { readonly [S in ShownStatus]: StatusLook } = {
  busy: { word: "busy", tone: "plain", beside: "elapsed" },
  idle: { word: "idle", tone: "dim", beside: "age" },
  waiting: { word: "waits for you", short: "you", tone: "blue", beside: "age" },
  listening: { word: "waits for a message", tone: "dim", beside: "age" },
  rate_limited: { word: "pacing", tone: "amber", beside: "age" },
  limited: { word: "usage limit", tone: "amber", beside: "until" },
  paused: { word: "paused", tone: "amber", beside: "nothing" },
  starting: { word: "starting", tone: "dim", beside: "elapsed" },
  dormant: { word: "dormant", tone: "dim", beside: "age" },
  stalled: { word: "stalled", tone: "red", beside: "age" },
  error: { word: "failed", tone: "red", beside: "age" },
  offline: { word: "offline", tone: "dim", beside: "age" },
  dead: { word: "dead", tone: "red", beside: "age" },
  unknown: { word: "unknown", tone: "dim", beside: "nothing" },
};
