import type { ExecuteCommand } from "../../hub/deciders.js";
import type { Listen } from "../../journal/signal.js";
import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { EventOf, HubEvent } from "../../model/events.js";
import { checkAct, type OfferedGrant, type Permission, type PermissionId } from "../../model/permission.js";

/*
 * A check runs code that agents wrote, so that the person is asked before it runs in a project for the first time: by a
 * permission of the agent whose task it is for.
 */

type Approval =
  | { kind: "allowed" }
  | { kind: "refused"; why: string }
  /** Nobody wants to know any more. */
  | { kind: "over" };

type Ask = {
  /** The same when it is asked again after a restart, so that an answer is not lost. */
  id: PermissionId;
  agent: AgentId;
  /** `run check unit: npm test in ~/shop` */
  title: string;
  run: NonNullable<Permission["run"]>;
};

export type CheckApprovals = {
  ask(ask: Ask, signal: AbortSignal): Promise<Approval>;
  end(): void;
};

type ApprovalPorts = { execute: ExecuteCommand; onCommitted: Listen<readonly HubEvent[]> };

const options: readonly OfferedGrant[] = [
  { id: "once", label: "Run it now", grants: "once" },
  { id: "always", label: "Run it whenever a task asks for it in this project", grants: "always" },
  { id: "deny", label: "No: the task fails", grants: "deny" },
];

export function createCheckApprovals({ execute, onCommitted }: ApprovalPorts): CheckApprovals {
  const open = new Map<PermissionId, (answered: Pick<Answered, "outcome" | "reason">) => void>();
  const end = onCommitted((events) => {
    for (const event of events) {
      if (event.type === "PermissionAnswered") open.get(event.data.permission)?.(event.data);
    }
  });

  async function ask({ id, agent, title, run }: Ask, signal: AbortSignal): Promise<Approval> {
    const answered = new Promise<Pick<Answered, "outcome" | "reason">>((resolve) => {
      open.set(id, resolve);
      signal.addEventListener("abort", () => resolve({ outcome: "cancelled" }), { once: true });
    });
    const { argv, project } = run;
    try {
      const details = { argv, project };
      const known = await execute("requestPermission", {
        id,
        agent,
        turn: null,
        tool: argv[0] ?? "",
        title,
        act: checkAct,
        details,
        options,
        run,
      });
      const { outcome, reason } = known === null ? await answered : { ...known, reason: undefined };
      if (signal.aborted) return { kind: "over" };
      if (outcome === "deny")
        return {
          kind: "refused",
          why:
            reason === "timeout"
              ? "Nobody allowed it to run in time."
              : "The person did not allow it to run.",
        };
      return outcome === "cancelled" ? { kind: "refused", why: gone } : { kind: "allowed" };
    } catch (error) {
      if (error instanceof HubError && error.code === "AGENT_GONE") return { kind: "refused", why: gone };
      throw error;
    } finally {
      open.delete(id);
    }
  }
  return { ask, end };
}

type Answered = EventOf<"PermissionAnswered">["data"];

const gone = "Nobody allowed it to run before the agent left.";
