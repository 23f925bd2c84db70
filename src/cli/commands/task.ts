import { resolve } from "node:path";
import { Option } from "commander";
import type { HubClient, Task } from "../../client/hub-client.js";
import { type RuntimeKind, runtimeKinds } from "../../model/hosting.js";
import { taskStatuses } from "../../model/task.js";
import { counted, parseDuration, relativeTime } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { messageText } from "../message-text.js";
import { findId, shortId } from "../short-id.js";
import { renderTable, shorten } from "../table.js";
import { usageError } from "../usage-error.js";

type AssignOptions = {
  backend?: string;
  name?: string;
  model?: string;
  project?: string;
  runtime?: RuntimeKind;
  schema?: string;
  check?: string[];
  attempts?: string;
  for?: number;
  worktree?: boolean;
  keep?: boolean;
  wait?: boolean;
};

const HEADER = ["TASK", "STATUS", "AGENT", "ASSIGNED", "WHAT"];
const PAGE = 100;
const PROMPT_WIDTH = 60;
/** A wait is asked for again until the task has ended. */
const WAIT_SECONDS = 60;

export const define: DefineCommand = (command, act) => {
  command
    .command("assign")
    .description("give an agent a task, or start an agent for it")
    .argument("[agent]", "the agent; without it, --backend starts one")
    .argument("[prompt]", "what is to be done; - or nothing takes it from the pipe")
    .option("-b, --backend <backend>", "start an agent on this for the task")
    .option("--name <name>", "the name of the agent that is started")
    .option("--model <model>", "its model")
    .option("-C, --project <folder>", "where it works; default: this folder")
    .addOption(new Option("--runtime <kind>", "how it is driven").choices([...runtimeKinds]))
    .option("--schema <file>", "a JSON Schema that the answer must fit")
    .option("--check <name...>", "checks of the configuration that must pass")
    .option("--attempts <n>", "how often it may try until the answer passes")
    .option("--for <time>", "how long it may run, such as 20m", parseDuration)
    .option("--worktree", "it works in a git worktree of its own")
    .option("--keep", "the agent stays when the task ends")
    .option("-w, --wait", "wait for the result and print it; the exit code says whether it is done")
    .addHelpText(
      "after",
      "\nExamples:\n  huddle task assign ann 'Review the auth module' --wait\n  huddle task assign -b codex 'Fix the failing tests' --worktree --check unit --attempts 3",
    )
    .action((agent: string | undefined, prompt: string | undefined, options: AssignOptions) =>
      act((cli) => assign(cli, agent, prompt, options)),
    );
  command
    .command("show")
    .description("show a task and its result")
    .argument("<id>", "the task, by the end of its id")
    .option("-w, --wait", "wait for its end; the exit code says whether it is done")
    .action((id: string, { wait }: { wait?: boolean }) => act((cli) => show(cli, id, wait === true)));
  command
    .command("list", { isDefault: true })
    .description("list the newest tasks")
    .addOption(new Option("--status <status>", "only those").choices([...taskStatuses]))
    .option("--agent <agent>", "only those of this agent")
    .action((options: { status?: Task["status"]; agent?: string }) => act((cli) => list(cli, options)));
  command
    .command("cancel")
    .description("end a task that is not wanted any more")
    .argument("<id>", "the task, by the end of its id")
    .action((id: string) => act((cli) => cancel(cli, id)));
};

async function assign(
  cli: CliContext,
  first: string | undefined,
  second: string | undefined,
  options: AssignOptions,
): Promise<number> {
  const { backend } = options;
  // With a backend there is no agent to name: the one argument is the prompt.
  const [agent, given] = backend === undefined ? [first, second] : [undefined, second ?? first];
  if (backend === undefined && agent === undefined) {
    throw usageError("Name an agent, or start one: huddle task assign -b codex 'Fix the tests'");
  }
  const prompt = await messageText(cli, given === undefined ? [] : [given], "huddle task assign AGENT");
  // A backend may be named in the agent's place: what is said of an agent that is started goes along.
  const spawned = {
    ...(backend === undefined ? {} : { backend }),
    ...(backend === undefined && options.project === undefined
      ? {}
      : { project: resolve(options.project ?? ".") }),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
  };
  const client = await cli.client();
  const assigned = await client.assignTask({
    ...(agent === undefined ? {} : { agent: await findAgent(client, agent) }),
    ...spawned,
    prompt,
    ...(options.schema === undefined ? {} : { output_schema: await readSchema(options.schema) }),
    ...(options.check === undefined ? {} : { checks: options.check }),
    ...(options.attempts === undefined ? {} : { attempts: Number(options.attempts) }),
    ...(options.for === undefined ? {} : { timeout_seconds: options.for / 1000 }),
    ...(options.worktree === true ? { worktree: true } : {}),
    ...(options.keep === true ? { keep: true } : {}),
  });
  if (options.wait === true) return show(cli, assigned.task_id, true);
  cli.output.confirm(assigned, () => {
    const id = shortId(assigned.task_id);
    return `${cli.output.colors.green("✓")} ${escapeLine(assigned.agent)} has the task ${id}\n  Wait for its result: huddle task show ${id} --wait`;
  });
  return 0;
}

async function readSchema(file: string): Promise<Record<string, unknown>> {
  const { readJsonFile } = await import("../read-json-file.js");
  const schema = readJsonFile(resolve(file));
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) {
    return { ...schema };
  }
  throw usageError(`${file} is not a JSON Schema: it must hold one JSON object`);
}

const DONE = 0;
const NOT_DONE = 1;

async function show(cli: CliContext, given: string, wait: boolean): Promise<number> {
  const client = await cli.client();
  const id = await meant(client, given);
  let task = await client.task(id, wait ? { wait: WAIT_SECONDS } : {});
  while (wait && task.ended === null) task = await client.task(id, { wait: WAIT_SECONDS });
  cli.output.result(task, () => render(task, cli));
  return !wait || task.status === "done" ? DONE : NOT_DONE;
}

function render(task: Task, { output: { colors }, io }: CliContext): string {
  const paint = task.status === "done" ? colors.green : task.status === "failed" ? colors.red : colors.yellow;
  const tries = task.attempts === 1 ? "" : `, try ${task.attempt} of ${task.attempts}`;
  const when = task.ended ?? task.started ?? task.assigned;
  const lines = [
    `${colors.bold(shortId(task.task_id))}  ${paint(task.status)}${tries}  ${escapeLine(task.agent)}, for ${escapeLine(task.by)}, ${relativeTime(Date.parse(when), io.now())}`,
  ];
  if (task.error !== null) lines.push(colors.red(escapeLine(task.error)));
  if (task.waits_for !== undefined) {
    const next = task.status === "waiting" ? ". Answer it: huddle inbox" : "";
    lines.push(colors.yellow(`It waits for ${escapeLine(task.waits_for)}${next}`));
  }
  for (const check of task.checks) {
    const mark = check.passed ? colors.green("✓") : colors.red("✗");
    const exit = check.exit === null ? "did not finish" : `exit ${check.exit}`;
    lines.push(`${mark} ${escapeLine(check.name)} (${exit}, ${Math.round(check.ms)} ms)`);
    if (!check.passed) lines.push(escapeBlock(check.output));
  }
  if (task.worktree !== null) {
    const { branch, commits, files, insertions, deletions, kept } = task.worktree;
    const what = kept
      ? `${counted(commits, "commit")}, ${counted(files, "file")}, +${insertions} −${deletions}`
      : "nothing changed, removed";
    lines.push(`branch ${escapeLine(branch)}: ${what}`);
  }
  if (task.output !== null) lines.push("", escapeBlock(task.output));
  return lines.join("\n");
}

async function list(cli: CliContext, options: { status?: Task["status"]; agent?: string }): Promise<void> {
  const client = await cli.client();
  const page = await client.tasks({
    limit: PAGE,
    ...(options.status === undefined ? {} : { status: options.status }),
    ...(options.agent === undefined ? {} : { agent: await findAgent(client, options.agent) }),
  });
  const { colors, width } = cli.output;
  cli.output.result(page, () => {
    if (page.tasks.length === 0) return "No tasks.\n  Assign one: huddle task assign AGENT 'Fix the login'";
    return renderTable(
      HEADER.map((text) => ({ text, paint: colors.dim })),
      page.tasks.map((task) => [
        { text: shortId(task.task_id), paint: colors.bold },
        task.status,
        escapeLine(task.agent),
        relativeTime(Date.parse(task.assigned), cli.io.now()),
        shorten(escapeLine(task.prompt.replace(/\s+/g, " ").trim()), PROMPT_WIDTH),
      ]),
      width,
    );
  });
  if (page.next !== null) cli.output.note(`These are the newest ${PAGE}.`);
}

/** By the end of its id, among the newest. */
function meant(client: HubClient, given: string): Promise<string> {
  return findId(given, "tasks", async () => {
    const { tasks } = await client.tasks({ limit: PAGE });
    return tasks.map(({ task_id }) => task_id);
  });
}

async function cancel(cli: CliContext, id: string): Promise<void> {
  const client = await cli.client();
  const task = await client.cancelTask(await meant(client, id));
  cli.output.confirm(task, () =>
    task.status === "cancelled"
      ? `${cli.output.colors.green("✓")} The task is cancelled`
      : `The task had ended already: ${task.status}`,
  );
}
