import type { z } from "zod";
import type { workflowDefinition, workflowStep } from "../contract/http/workflows.js";
import type { CreateWorkflow } from "../hub/commands/create-workflow.js";
import { workflowNoticeId } from "../hub/rules/end-workflow.js";
import { checkStays, findAgent, stayingAgent } from "../hub/rules/find-agent.js";
import { checkMayAssign } from "../hub/rules/find-task.js";
import type { AgentId } from "../model/agent.js";
import { checkWorkflow, type WorkflowIssue } from "../model/check-workflow.js";
import { HubError } from "../model/errors.js";
import { nameSteps } from "../model/name-steps.js";
import { SETUP_CHECK } from "../model/permission.js";
import type { StepAssignee, WorkflowStep } from "../model/workflow.js";
import type { WorkflowRow } from "../views/workflows.js";
import type { HubPorts } from "./ports.js";

/* What routes and tools share about workflows. */

type Asked = Pick<z.output<typeof workflowDefinition>, "name" | "project" | "steps" | "budget">;
type AskedStep = z.output<typeof workflowStep>;

/** What is asked for, as the hub runs it, or a refusal that tells all that is wrong with it. */
export function toWorkflow(asked: Asked, by: AgentId, ports: HubPorts): CreateWorkflow {
  checkMayAssign(ports.views, by);
  const issues = checkWorkflow(asked, { most: ports.limits.workflowSteps });
  // Too many, or none: nothing else is worth looking at.
  const isWhole = issues.every(({ path }) => path.length > 1);
  const names = isWhole ? nameSteps(asked.steps) : [];
  const steps = names.map((name, at): WorkflowStep | undefined => {
    const step = asked.steps[at];
    if (step === undefined) return undefined;
    const found = chooseAgent(step, at, { by, project: asked.project }, ports);
    if ("issue" in found) issues.push(found.issue);
    issues.push(...unknownChecks(step, at, ports));
    const assignee = "issue" in found ? {} : found.assignee;
    return { ...termsOf(step, name), ...usualWorktree(step, assignee, ports), ...assignee };
  });
  if (issues.length > 0) throw invalid(issues);
  const { usd, tokens } = asked.budget ?? {};
  return {
    by,
    name: asked.name,
    steps: steps.flatMap((step) => step ?? []),
    ...(asked.budget === undefined
      ? {}
      : { budget: { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) } }),
  };
}

/** Refuses schemas that are none before anything is stored; that may take a moment. */
export async function checkSchemas(
  steps: readonly Pick<AskedStep, "output_schema">[],
  by: AgentId,
  { hosting, views }: HubPorts,
): Promise<void> {
  checkMayAssign(views, by);
  const issues: WorkflowIssue[] = [];
  for (const [at, { output_schema }] of steps.entries()) {
    if (output_schema === undefined) continue;
    try {
      await hosting.checkSchema(output_schema, by);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      issues.push({ path: ["steps", at, "output_schema"], problem: error.message });
    }
  }
  if (issues.length > 0) throw invalid(issues);
}

/** Each at its place; the hub would refuse the first of them alone. */
function unknownChecks({ checks = [] }: AskedStep, at: number, { hosting }: HubPorts): WorkflowIssue[] {
  const known = Object.keys(hosting.checks).filter((name) => name !== SETUP_CHECK);
  const list = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
  return checks.flatMap((name, nth) =>
    known.includes(name)
      ? []
      : {
          path: ["steps", at, "checks", nth],
          problem: `no check is named "${name}"; ${list} (checks in huddle.yaml)`,
        },
  );
}

/** Agents on some backends get a worktree when nobody says. */
function usualWorktree({ worktree }: AskedStep, { spawn }: StepAssignee, { hosting }: HubPorts) {
  const isUsual = worktree === undefined && spawn !== undefined && hosting.usesWorktree(spawn.backend);
  return isUsual ? { worktree: true as const } : {};
}

function termsOf(step: AskedStep, name: string): WorkflowStep {
  return {
    name,
    dependsOn: [...new Set(step.depends_on ?? [])],
    on: step.on ?? "success",
    ...(step.on_failure === undefined ? {} : { onFailure: step.on_failure }),
    ...(step.approve === true ? { approve: true } : {}),
    ...(step.prompt === undefined ? {} : { prompt: step.prompt }),
    ...(step.output_schema === undefined ? {} : { outputSchema: step.output_schema }),
    ...(step.checks === undefined ? {} : { checks: step.checks }),
    ...(step.attempts === undefined ? {} : { attempts: step.attempts }),
    ...(step.timeout_seconds === undefined ? {} : { timeoutMs: Math.ceil(step.timeout_seconds * 1000) }),
    ...(step.worktree === true ? { worktree: true } : {}),
    ...(step.keep === true ? { keep: true } : {}),
  };
}

type Chosen = { assignee: StepAssignee } | { issue: WorkflowIssue };
type Whose = { by: AgentId; project: string | undefined };

/** Who does a step: found now, by id, so that a name that changes later does not matter. */
function chooseAgent(step: AskedStep, at: number, whose: Whose, ports: HubPorts): Chosen {
  const { agent, backend } = step;
  // The check has told already what is wrong with it, if anything.
  if (step.prompt === undefined || (agent === undefined) === (backend === undefined)) return { assignee: {} };
  const field = agent === undefined ? "backend" : "agent";
  try {
    return { assignee: assigneeOf(step, whose, ports) };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const named = error.details["field"];
    return {
      issue: { path: ["steps", at, typeof named === "string" ? named : field], problem: saidOf(error) },
    };
  }
}

/** An agent that is here, or what is started: a name that nobody has, and that is a backend's, means the latter. */
function assigneeOf(step: AskedStep, { by, project }: Whose, ports: HubPorts): StepAssignee {
  const { agent, backend, team, model, runtime } = step;
  const here = agent === undefined ? undefined : stayingAgent(ports.views, agent, by);
  const wanted = backend ?? (here === undefined ? ports.hosting.knownBackend(agent ?? "") : undefined);
  if (wanted === undefined) {
    const target = here ?? findAgent(ports.views, agent ?? "", by);
    checkStays(target);
    if (target.id === by) throw new HubError("SELF_SEND", "a step of your own workflow cannot be yours");
    if (target.role === "human")
      throw new HubError("INVALID_INPUT", "the person is assigned no steps; use approve: true to ask them");
    for (const field of ["model", "project", "team", "runtime", "worktree", "keep"] as const) {
      if (step[field] !== undefined && step[field] !== false) {
        throw new HubError(
          "INVALID_INPUT",
          `${target.name} is here already: this is for an agent that is started`,
          {
            field,
          },
        );
      }
    }
    return { agent: target.id, agentName: target.name };
  }
  return {
    spawn: {
      backend: ports.hosting.checkBackend(wanted),
      project: ports.hosting.checkProject(step.project ?? project ?? projectOf(by, ports)),
      ...(team === undefined ? {} : { team }),
      ...(model === undefined ? {} : { model }),
      ...(runtime === undefined ? {} : { runtime }),
    },
  };
}

function projectOf(by: AgentId, { views }: HubPorts): string {
  const project = views.roster.byId(by)?.project;
  if (typeof project === "string") return project;
  throw new HubError("INVALID_INPUT", "say in which folder its agent is to work; yours is not known", {
    field: "project",
  });
}

function saidOf({ code, message, details }: HubError): string {
  const meant = details["did_you_mean"];
  const { available } = details;
  if (code === "BACKEND_UNKNOWN" && Array.isArray(available))
    return `${message}; there are ${available.join(", ")}`;
  if (code !== "AGENT_NOT_FOUND") return message;
  const hint = typeof meant === "string" ? `; did you mean "${meant}"?` : "";
  return `no agent and no backend is named "${String(details["name"])}"${hint}`;
}

function invalid(issues: readonly WorkflowIssue[]): HubError {
  const told = issues.map(({ path, problem }) => ({ field: path.join("."), problem }));
  const [first, ...others] = told;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new HubError("WORKFLOW_INVALID", `${first?.field}: ${first?.problem}${more}`, { issues: told });
}

/** Another agent, or a backend, for a step that is run again. */
export function toAssignee(agent: string, step: WorkflowStep, by: AgentId, ports: HubPorts): StepAssignee {
  const project = step.spawn?.project;
  return assigneeOf({ agent }, { by, project }, ports);
}

/** Whoever created it and asks for the result need not be told of it again. */
export async function noteWorkflowRead(
  { id, creator, state, runs }: WorkflowRow,
  reader: AgentId,
  { execute, views }: HubPorts,
): Promise<void> {
  if (creator !== reader || state === "running") return;
  const notice = workflowNoticeId(id, runs);
  if (views.messages.byId(notice).length > 0) await execute("acknowledge", { agent: reader, ids: [notice] });
}
