import type { Say } from "./tell-http.js";

/* The routes of tasks, workflows, worktrees, obligations, usage, budgets and pauses, told with agents that pull their mail. */

export async function tellWork(say: Say, project: string): Promise<void> {
  await tellTasks(say, project);
  await tellWorkflows(say);
  await tellWorktrees(say);
  await tellChecks(say);
  await tellStanding(say);
}

async function tellTasks(say: Say, project: string): Promise<void> {
  await say("operator", "POST", "/api/tasks", { agent: "ann", prompt: "How many?", id: "t-1" });
  await say("ann", "POST", "/api/tasks", { agent: "benjamin", prompt: "mine" });
  await say("operator", "POST", "/api/tasks", { prompt: "whose?" });
  await say("operator", "POST", "/api/tasks", { agent: "ann", prompt: "x", checks: ["none"] });
  await say("operator", "POST", "/api/tasks", { agent: "ann", prompt: "x", output_schema: { type: "no" } });
  await say("operator", "POST", "/api/tasks", { backend: "none", project, prompt: "x" });
  await say("ann", "GET", "/api/obligations");
  await say("ann", "GET", "/api/inbox");
  await say("ann", "POST", "/api/agents/user/messages", { message: "Seven", reply_to: "task-t-1" });
  await say("operator", "GET", "/api/tasks/task-t-1");
  await say("operator", "POST", "/api/tasks", { agent: "ann", prompt: "Never mind", id: "t-2" });
  await say("operator", "POST", "/api/tasks/task-t-2/cancel");
  await say("operator", "GET", "/api/tasks?limit=1");
  await say("operator", "GET", "/api/tasks?status=open");
  await say("ann", "GET", "/api/tasks/task-none");
}

async function tellWorkflows(say: Say): Promise<void> {
  const steps = [
    { name: "count", agent: "ann", prompt: "How many?" },
    { name: "look", approve: true, depends_on: ["count"] },
    { name: "tell", agent: "ann", prompt: "Tell {{count.output}}", depends_on: ["look", "count"] },
  ];
  await say("operator", "POST", "/api/workflows", { name: "small", steps, id: "w-1" });
  await say("operator", "POST", "/api/workflows", {
    name: "wrong",
    steps: [{ name: "a", agent: "nobody", prompt: "{{b.output}}", depends_on: ["a", "c"] }],
  });
  await say("ann", "POST", "/api/workflows", { name: "mine", steps });
  const { steps: running } = await say("operator", "GET", "/api/workflows/wf-w-1");
  const [first] = Array.isArray(running) ? (running as { task_id: string }[]) : [];
  await say("ann", "GET", "/api/inbox");
  await say("ann", "POST", "/api/agents/user/messages", { message: "Seven", reply_to: first?.task_id });
  await say("operator", "GET", "/api/needs-you");
  await say("ann", "POST", "/api/workflows/wf-w-1/steps/look/approve", {});
  await say("operator", "POST", "/api/workflows/wf-w-1/steps/none/approve", {});
  await say("operator", "POST", "/api/workflows/wf-w-1/steps/look/approve", { comment: "fine" });
  await say("operator", "POST", "/api/workflows/wf-w-1/steps/look/reject", {});
  await say("operator", "POST", "/api/workflows/wf-w-1/steps/count/retry", {});
  await say("operator", "POST", "/api/workflows/wf-w-1/cancel");
  await say("operator", "GET", "/api/workflows/wf-w-1/steps/tell");
  await say("operator", "GET", "/api/workflows/wf-w-1/steps/none");
  await say("operator", "GET", "/api/workflows?limit=1");
  await say("ann", "GET", "/api/workflows/wf-w-1");
}

async function tellWorktrees(say: Say): Promise<void> {
  await say("operator", "GET", "/api/worktrees");
  await say("ann", "GET", "/api/worktrees");
  await say("operator", "GET", "/api/worktrees/none/diff");
  await say("operator", "POST", "/api/worktrees/none/merge");
  await say("operator", "DELETE", "/api/worktrees/none");
}

async function tellChecks(say: Say): Promise<void> {
  await say("operator", "GET", "/api/checks");
  await say("ann", "GET", "/api/checks");
  await say("operator", "POST", "/api/checks/none/allow", { project: "/" });
  await say("operator", "POST", "/api/checks/none/forget", {});
}

async function tellStanding(say: Say): Promise<void> {
  await say("operator", "GET", "/api/obligations");
  await say("operator", "GET", "/api/usage?by=agent");
  await say("operator", "GET", "/api/usage?by=week");
  await say("operator", "POST", "/api/budgets/agent/ann", { decision: "continue" });
  await say("operator", "POST", "/api/agents/ann/pause", {});
  await say("operator", "GET", "/api/agents/ann");
  await say("ben", "POST", "/api/agents/pause", {});
  await say("operator", "POST", "/api/agents/ann/resume");
  await say("operator", "POST", "/api/agents/pause", {});
  await say("operator", "POST", "/api/agents/resume");
}
