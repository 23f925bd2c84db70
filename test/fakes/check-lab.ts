import { onTestFinished } from "vitest";
import { createCheckApprovals } from "../../src/delivery/acceptance/check-approvals.js";
import { createRunCheck } from "../../src/delivery/acceptance/run-check.js";
import { createSchemaDesk } from "../../src/delivery/acceptance/schema-desk.js";
import { createTaskChecker } from "../../src/delivery/acceptance/task-checker.js";
import { systemTimers } from "../../src/delivery/timers.js";
import { HUMAN_ID } from "../../src/model/agent.js";
import type { HubEvent } from "../../src/model/events.js";
import type { PermissionDecision } from "../../src/model/permission.js";
import type { WorktreeResult } from "../../src/model/task.js";
import { eventually } from "./hosting-hub.js";
import { readProcesses } from "./processes.js";
import { tempFolder } from "./temp-folder.js";
import { openTestHub, type TestHub } from "./test-hub.js";

/* A hub without its surfaces that checks what is answered to tasks, with real programs. */

export const node = (script: string): string[] => [process.execPath, "-e", script];
export const passes = node("console.log('fine')");

type Options = {
  checks?: Record<string, readonly string[]>;
  atOnce?: number;
  /** How long an answer may be looked at. */
  schemaWithinMs?: number;
  finish?: () => Promise<WorktreeResult | undefined>;
  hub?: TestHub;
  project?: string;
};

/** A hub that checks tasks, and ann, who pulls her mail and answers by replying. */
export async function openCheckLab({
  checks = {},
  atOnce = 2,
  schemaWithinMs = 60_000,
  finish,
  ...given
}: Options = {}) {
  const hub = given.hub ?? openTestHub({ limits: { checks: Object.keys(checks) } });
  const project = given.project ?? tempFolder();
  const errors: unknown[] = [];
  const schemas = createSchemaDesk({ withinMs: schemaWithinMs });
  const approvals = createCheckApprovals(hub);
  const runCheck = createRunCheck({
    views: hub.views,
    checks,
    withinMs: 60_000,
    atOnce,
    approvals,
    environment: ({ id }) => ({ PATH: process.env["PATH"] ?? "", TASK: id }),
  });
  const ports = {
    ...hub,
    after: systemTimers,
    schemas,
    runCheck,
    finish,
    onError: (e: unknown) => errors.push(e),
  };
  const checker = createTaskChecker(ports);
  const end = async () => {
    await checker.end();
    approvals.end();
    await schemas.end();
  };
  onTestFinished(end);
  const ann = given.hub === undefined ? await hub.register("ann", { project }) : "";
  const ended = (id: string) =>
    eventually(async () => {
      const task = hub.task(id);
      return task.endedAt === null ? undefined : task;
    }, `${id} has ended`);
  const asked = (count = 1) =>
    eventually(async () => {
      const open = hub.views.permissions.open().map(({ permission }) => permission);
      return open.length === count ? open : undefined;
    }, `${count} permissions are asked for`);
  const answer = (permission: string, decision: PermissionDecision) =>
    hub.execute("answerPermission", { permission, decision, by: HUMAN_ID });
  /** Allows what is asked for next. */
  const allow = async (decision: PermissionDecision = "once") => {
    const [permission] = await asked();
    if (permission !== undefined) await answer(permission.id, decision);
  };
  /** Ann reads what she has been given last, and replies. */
  const reply = async (content: string) => {
    const { messages } = await hub.read(ann);
    const message = messages.findLast((offered) => offered.message.taskId !== undefined)?.message;
    if (message === undefined) throw new Error("ann has no task");
    await hub.sendTo(ann, "user", content, { replyTo: message.id });
    return message;
  };
  return { hub, ann, project, errors, checker, end, ended, asked, answer, allow, reply };
}

/** The processes of a task's checks. */
export function processesOfTask(task: string): string[] {
  return readProcesses("environ")
    .filter(([, text]) => text.includes(`TASK=${task}\0`))
    .map(([path]) => path);
}

export function eventsOf(hub: TestHub, type: HubEvent["type"]): HubEvent[] {
  return hub.events.pageAfter(0, 10_000).filter((event) => event.type === type);
}
