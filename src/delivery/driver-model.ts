import type { AgentStatus } from "../model/agent.js";

/* What the driver of a hosted agent can be in, be told, and ask for; driver-machine.ts says how these follow each other. */

export type DriverState =
  | { kind: "dormant" }
  /** `noted`: an interrupt came, and there was nothing to cancel. */
  | { kind: "starting"; noted: boolean }
  | { kind: "idle" }
  /** `cut`: an interrupt came before the prompt was taken; it is cancelled once it is. */
  | { kind: "offering"; cut: boolean }
  | { kind: "busy"; seen: boolean; stalled: boolean; asking: boolean }
  | { kind: "cancelling" }
  | { kind: "stopping"; to: Rest; why: StopReason }
  | { kind: "backoff" }
  | { kind: "limited" }
  | { kind: "gone" };

export type StateKind = DriverState["kind"];

/** Where an agent that is stopped on purpose ends. */
export type Rest = "dormant" | "gone";
export type Ending = "shutdown" | "killed";
export type StopReason = "idle" | "hub_stop" | Ending;

export type Driver = {
  state: DriverState;
  /** Failures in a row; a turn that ends sets it to none. */
  failures: number;
  /** Its vendor's usage limit holds: no turn begins. */
  limited: boolean;
  /** It was asked to end once its turn is over. */
  draining: { to: Rest; why: StopReason } | null;
};

export type Step = { driver: Driver; effects: Effect[] };

export type DriverInput =
  | { kind: "mail"; attention: "interrupt" | "queue" | "fyi" }
  /** Start it although there is no mail: it was spawned just now, or its pane is still there, if only to be ended. */
  | { kind: "load"; ending?: Ending }
  /** `atIt`: it is still in the turn that it was in when the hub ended. */
  | { kind: "ready"; waiting: boolean; atIt?: boolean }
  | { kind: "start_failed" }
  /** Somebody else had taken the mail, or it could not be journalled. */
  | { kind: "nothing_offered"; waiting: boolean }
  /** Nothing was put in, because the agent's screen needs the person. */
  | { kind: "held"; words: string }
  /** Between turns: mail waits, and the person's draft is in the way, or nothing waits for the screen any more. */
  | { kind: "screen_held"; words: string }
  | { kind: "screen_free" }
  | { kind: "taken" }
  | { kind: "output" }
  | { kind: "silent" }
  /** It asks the person something: in a turn, or by a dialog on its screen at any time. `stands`: a dialog that outlasted an interrupt. */
  | { kind: "asked"; words: string; stands?: boolean }
  | { kind: "answered" }
  | { kind: "ended"; waiting: boolean }
  /** Its vendor lets it do no more for now; what its turn carried waits again. */
  | { kind: "limited" }
  | { kind: "limit_over"; waiting: boolean }
  | { kind: "exited" }
  | { kind: "time_out"; timer: TimerName; waiting: boolean }
  | { kind: "shutdown"; to: Rest; why: StopReason }
  | { kind: "kill" }
  | { kind: "stopped"; waiting: boolean };

export const timerNames = ["idle", "offer", "cancel", "backoff", "drain"] as const;
export type TimerName = (typeof timerNames)[number];

export type Effect =
  | { do: "start" }
  | { do: "offer"; noted: boolean; continues: boolean }
  /** Watches the turn that it was still in when it was taken up, to its end. */
  | { do: "follow" }
  | { do: "record_taken" }
  | { do: "record_seen" }
  | { do: "cancel" }
  | { do: "cancel_permissions" }
  /** Ends the whole group of processes; nobody waits for it but the next start. */
  | { do: "kill_group" }
  | { do: "stop"; gentle: boolean }
  /** `final`: it is given up, and what waits fails. */
  | { do: "record_failure"; why: FailureKind; failures: number; final: boolean }
  | { do: "record_stopped"; why: StopReason }
  | { do: "record_gone"; why: StopReason }
  | { do: "show_limit" }
  | { do: "status"; status: AgentStatus; evidence: string }
  | { do: "arm"; timer: TimerName; failures?: number }
  | { do: "disarm"; timer: TimerName };

export type FailureKind = "start_failed" | "not_taken" | "exited" | "not_cancelled";
