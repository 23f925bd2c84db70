import type { ExecuteCommand } from "../hub/deciders.js";
import type { AgentId } from "../model/agent.js";
import { paneStates } from "../model/hosting.js";
import type { RuntimeError } from "../runtime/runtime.js";
import type { After } from "./timers.js";

/*
 * Mail that a pane did not take. It waits in the inbox; its senders are told once it was tried for `readyWithinMs`, however
 * often it was given back and offered again in that time, or at once when it was put in and nothing came of it.
 */

type KeptWaitingPorts = {
  agent: AgentId;
  execute: ExecuteCommand;
  /** Hub time. */
  now: () => number;
  after: After;
  readyWithinMs: number;
  /** What could be given to the pane now. */
  waiting: () => readonly number[];
  onError: (error: unknown) => void;
};

export type KeptWaiting = {
  /** These are given to the pane now: all that it could have, so what is not among them waits no longer. */
  offered(seqs: readonly number[]): void;
  /** More came while the pane is tried: it waits for the same pane, and nothing else tries it. */
  came(): void;
  refused(error: RuntimeError): void;
  /** Nothing waits for the pane any more. */
  clear(): void;
};

type Tried = { since: number; offered: boolean; told: boolean };

export function createKeptWaiting(ports: KeptWaitingPorts): KeptWaiting {
  let tried = new Map<number, Tried>();
  let callOff = () => {};
  let screen: (typeof paneStates)[number] | undefined;

  function tell(
    reason: "pane_not_ready" | "pane_did_not_take",
    isDue: (one: Tried, waitedMs: number) => boolean,
  ) {
    const now = ports.now();
    const due = [...tried].filter(([, one]) => !one.told && isDue(one, now - one.since));
    if (due.length === 0) return;
    for (const [, one] of due) one.told = true;
    const waits = due.map(([seq, { since }]) => ({ seq, waitedMs: now - since }));
    ports.execute("recordKeptWaiting", { agent: ports.agent, reason, screen, waits }).catch(ports.onError);
  }

  /** Tells of what has waited long enough, and looks again when the next has. */
  function look() {
    callOff();
    tell("pane_not_ready", (_, waitedMs) => waitedMs >= ports.readyWithinMs);
    const untold = [...tried.values()].filter(({ told }) => !told).map(({ since }) => since);
    if (untold.length === 0) return;
    callOff = ports.after(Math.max(1, Math.min(...untold) + ports.readyWithinMs - ports.now()), look);
  }

  return {
    offered(seqs) {
      const now = ports.now();
      const fresh = { since: now, told: false };
      tried = new Map(seqs.map((seq) => [seq, { ...(tried.get(seq) ?? fresh), offered: true }]));
    },
    came() {
      const since = ports.now();
      for (const seq of ports.waiting())
        if (!tried.has(seq)) tried.set(seq, { since, offered: false, told: false });
    },
    refused({ details }) {
      screen = paneStates.find((state) => state === details["state"]);
      if (details["inVain"] === true) tell("pane_did_not_take", ({ offered }) => offered);
      look();
    },
    clear() {
      callOff();
      tried = new Map();
    },
  };
}
