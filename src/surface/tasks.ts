import type { z } from "zod";
import type { taskAgent, taskTerms } from "../contract/http/tasks.js";
import type { AssignTask } from "../hub/commands/assign-task.js";
import { endNoticeId } from "../hub/rules/end-task.js";
import { stayingAgent } from "../hub/rules/find-agent.js";
import { checkMayAssign } from "../hub/rules/find-task.js";
import type { AgentId } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import { isTaskEnded } from "../model/task.js";
import type { Task } from "../views/tasks.js";
import type { HubPorts } from "./ports.js";

/* What routes and tools share about tasks. */

type Asked = z.output<z.ZodObject<typeof taskTerms>> & z.output<z.ZodObject<typeof taskAgent>>;

/** What is asked for, as the hub takes it; who is to do it is looked at before anything is stored. */
export function toAssignment(asked: Asked, by: AgentId, ports: HubPorts): AssignTask {
  checkMayAssign(ports.views, by);
  const doer = chooseAgent(asked, by, ports);
  const usual = doer.spawn !== undefined && ports.hosting.usesWorktree(doer.spawn.backend);
  return {
    by,
    ...doer,
    prompt: asked.prompt,
    ...(asked.output_schema === undefined ? {} : { outputSchema: asked.output_schema }),
    ...(asked.checks === undefined ? {} : { checks: asked.checks }),
    ...(asked.attempts === undefined ? {} : { attempts: asked.attempts }),
    ...(asked.timeout_seconds === undefined ? {} : { timeoutMs: Math.ceil(asked.timeout_seconds * 1000) }),
    ...((asked.worktree ?? usual) ? { worktree: true } : {}),
    ...(asked.keep === true ? { keep: true } : {}),
  };
}

/** Refuses a schema that is none before anything is stored; that may take a moment. */
export async function checkTerms(
  { output_schema }: Pick<Asked, "output_schema">,
  by: AgentId,
  { hosting, views }: HubPorts,
): Promise<void> {
  checkMayAssign(views, by);
  if (output_schema !== undefined) await hosting.checkSchema(output_schema, by);
}

/** An agent that is here, or what is started: a name that nobody has, and that is a backend's, means the latter. */
function chooseAgent(asked: Asked, by: AgentId, ports: HubPorts): Pick<AssignTask, "agent" | "spawn"> {
  const { agent, backend, name, team, model, project, runtime } = asked;
  if ((agent === undefined) === (backend === undefined)) {
    throw new HubError(
      "INVALID_INPUT",
      "Name either the agent that is to do it, or the backend to start one on",
    );
  }
  const isHere = agent !== undefined && stayingAgent(ports.views, agent, by) !== undefined;
  const wanted = backend ?? (isHere ? undefined : ports.hosting.knownBackend(agent ?? ""));
  if (wanted === undefined) {
    if (model !== undefined || project !== undefined || name !== undefined || runtime !== undefined) {
      throw new HubError(
        "INVALID_INPUT",
        "name, model, project and runtime are for an agent that is started; name a backend, or leave them out",
      );
    }
    return { agent };
  }
  const spawn = {
    backend: ports.hosting.checkBackend(wanted),
    project: ports.hosting.checkProject(project ?? projectOf(by, ports)),
    ...(name === undefined ? {} : { name }),
    ...(team === undefined ? {} : { team }),
    ...(model === undefined ? {} : { model }),
    ...(runtime === undefined ? {} : { runtime }),
  };
  return { spawn };
}

function projectOf(by: AgentId, { views }: HubPorts): string {
  const project = views.roster.byId(by)?.project;
  if (typeof project === "string") return project;
  throw new HubError(
    "INVALID_INPUT",
    "project: say in which folder the agent that is started is to work; yours is not known",
  );
}

/** Whoever assigned it and asks for the result need not be told of it again. */
export async function noteResultRead(
  task: Task,
  reader: AgentId,
  { execute, views }: HubPorts,
): Promise<void> {
  if (task.by !== reader || !isTaskEnded(task.state)) return;
  const id = endNoticeId(task.id);
  if (views.messages.byId(id).length > 0) await execute("acknowledge", { agent: reader, ids: [id] });
}
