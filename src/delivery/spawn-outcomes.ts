import type { Listen } from "../journal/signal.js";
import type { AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import { dialogAct } from "../model/permission.js";
import type { After } from "./timers.js";

/* What becomes of an agent that is to start, or of a pane that is taken. */

type Outcome =
  | { kind: "started" }
  | { kind: "waiting"; words: string }
  | { kind: "failed"; code: string; error: string };

export type OutcomePorts = {
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  /** How long whoever asks is kept waiting for the start. */
  patienceMs: number;
};

type OutcomeWatch = {
  end(): void;
  seen(id: AgentId): Outcome | undefined;
  /** Undefined when it takes its time. */
  of(id: AgentId): Promise<Outcome | undefined>;
};

/** What becomes of agents from now on. Watched before anything is asked for, so that nothing is missed. */
export function watchOutcomes({ onCommitted, after, patienceMs }: OutcomePorts): OutcomeWatch {
  const seen = new Map<AgentId, Outcome>();
  const waiting = new Map<AgentId, (outcome: Outcome) => void>();
  const end = onCommitted((events) => {
    for (const event of events) {
      const outcome = outcomeIn(event);
      // Of one that did not start its leaving is told as well; the first says why.
      if (outcome === undefined || event.subject === null || seen.has(event.subject)) continue;
      seen.set(event.subject, outcome);
      waiting.get(event.subject)?.(outcome);
    }
  });
  return {
    end,
    seen: (id: AgentId) => seen.get(id),
    of(id: AgentId): Promise<Outcome | undefined> {
      const known = seen.get(id);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => {
        const callOff = after(patienceMs, () => resolve(undefined));
        waiting.set(id, (outcome) => {
          callOff();
          resolve(outcome);
        });
      });
    },
  };
}

function outcomeIn(event: HubEvent): Outcome | undefined {
  if (event.type === "AgentStarted") return { kind: "started" };
  if (event.type === "PermissionRequested" && event.data.permission.act === dialogAct)
    return { kind: "waiting", words: event.data.permission.title };
  if (event.type === "SpawnFailed") return { kind: "failed", code: event.data.code, error: event.data.error };
  if (event.type === "PaneLetGo") return { kind: "failed", code: "TARGET_INVALID", error: event.data.why };
  // Killed, or told to shut down, before it was up.
  if (event.type === "AgentDeregistered") {
    return { kind: "failed", code: "AGENT_GONE", error: "it was ended before it had started" };
  }
  return undefined;
}

/** What whoever asked can act on; all else is that it did not start. */
const asIs = ["BACKEND_MISSING", "TARGET_INVALID", "PROJECT_NOT_ALLOWED"] as const;

export function failure({ code, error }: { code: string; error: string }, name: string): HubError {
  return new HubError(
    asIs.find((known) => known === code) ?? "SPAWN_FAILED",
    `"${name}" did not start: ${error}`,
    { reason: code },
  );
}
