import { useQuery } from "@tanstack/react-query";
import { type RefObject, useMemo } from "react";
import type { Workflow } from "../../client/hub-client.js";
import { hub } from "../hub/hub.js";
import { refreshLater } from "../hub/refresh-later.js";
import { shownStatusOf, useAgents } from "../hub/use-agents.js";
import { Ask } from "../parts/ask.js";
import { Menu } from "../parts/menu.js";
import { StatusGlyph } from "../parts/status-glyph.js";
import { tellOutcome } from "../parts/tell-outcome.js";

/* What the person does with a workflow and its steps. The answer of the hub is shown at once; events tell the rest. */

/** `agent`: another one, or a backend on which one is started. */
export async function retryStep(workflow: string, step: string, agent?: string): Promise<void> {
  const act = hub.retryStep(workflow, step, agent === undefined ? {} : { agent });
  await tellOutcome(act, `${step} was not retried`, {
    title: agent === undefined ? `${step} is run again` : `${agent} was given ${step}`,
  });
  refreshAll(workflow);
}

export async function decideStep(
  workflow: string,
  step: string,
  verdict: "approve" | "reject",
  comment: string,
): Promise<void> {
  const body = comment.trim() === "" ? {} : { comment };
  const act =
    verdict === "approve" ? hub.approveStep(workflow, step, body) : hub.rejectStep(workflow, step, body);
  await tellOutcome(act, `${step} was not ${verdict === "approve" ? "approved" : "rejected"}`, {
    title: `${step} is ${verdict === "approve" ? "approved" : "rejected"}`,
  });
  refreshAll(workflow);
}

function refreshAll(workflow: string): void {
  refreshLater(["workflow", workflow]);
  refreshLater(["workflow-step", workflow]);
  refreshLater(["workflows"]);
  refreshLater(["needs"]);
}

export function AskCancel({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  return (
    <Ask
      title={`Cancel ${workflow.name}?`}
      button="Cancel the workflow"
      danger
      act={() => hub.cancelWorkflow(workflow.workflow_id)}
      done={`${workflow.name} is cancelled`}
      onClose={onClose}
    >
      What runs is interrupted, what has not begun does not begin, and agents that were started for its steps
      end. What is done stays done, and any step can be retried later.
    </Ask>
  );
}

/** Who else could do a step: agents that are here, and backends on which one is started. */
export function GiveMenu({
  anchor,
  except,
  onGive,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>;
  except: string;
  onGive: (agent: string) => void;
  onClose: () => void;
}) {
  const agents = useAgents();
  const { data } = useQuery({
    queryKey: ["backends"],
    queryFn: ({ signal }) => hub.backends({ signal }),
    staleTime: 10_000,
  });
  const items = useMemo(() => {
    const here = agents
      .filter(({ name, state }) => name !== except && state !== "dead")
      .map((agent) => ({
        label: agent.name,
        icon: <StatusGlyph status={shownStatusOf(agent)} />,
        act: () => onGive(agent.name),
      }));
    const started = (data?.backends ?? [])
      .filter(({ name, installed }) => installed && !agents.some((agent) => agent.name === name))
      .map(({ name }) => ({ label: `A new ${name}`, hint: "is started", act: () => onGive(name) }));
    return [...here, ...started];
  }, [agents, data, except, onGive]);
  return (
    <Menu
      label="Give the step to"
      anchor={anchor}
      placement="below-start"
      items={items.length > 0 ? items : [{ label: "No other agent is here", off: true, act: () => {} }]}
      onClose={onClose}
    />
  );
}
