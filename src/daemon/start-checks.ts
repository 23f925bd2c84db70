import { createCheckApprovals } from "../delivery/acceptance/check-approvals.js";
import { createRunCheck } from "../delivery/acceptance/run-check.js";
import { createSchemaDesk, type SchemaDesk } from "../delivery/acceptance/schema-desk.js";
import { createTaskChecker } from "../delivery/acceptance/task-checker.js";
import type { After } from "../delivery/timers.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import type { HubEvent } from "../model/events.js";
import type { WorktreeResult } from "../model/task.js";
import { buildEnvironment, hostedMarker } from "../runtime/process/environment.js";
import type { Task } from "../views/tasks.js";
import type { TightViews } from "../views/tight.js";
import type { HubConfig } from "./config-schema.js";

type StartChecks = {
  config: HubConfig;
  /** The mark of this hub. */
  hub: string;
  views: TightViews;
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  /** Where a task's checks run, if that is not its agent's project. */
  folderOf?: (task: Task) => string | undefined;
  /** What is left to do before a checked task ends. */
  finish?: (task: Task) => Promise<WorktreeResult | undefined>;
  onError: (error: unknown) => void;
};

type Checks = { checkSchema: SchemaDesk["check"]; begin(): void; end(): Promise<void> };

/** Puts together what looks whether answers to tasks pass. */
export function startChecks(ports: StartChecks): Checks {
  const { config, hub, folderOf, finish } = ports;
  const schemas = createSchemaDesk();
  const approvals = createCheckApprovals(ports);
  const runCheck = createRunCheck({
    views: ports.views,
    checks: config.checks,
    withinMs: config.tasks.check_within,
    atOnce: config.tasks.checks_at_once,
    approvals,
    // Marked by the task, not by its agent: what an agent has on a screen is spared when a hub starts, and this is not.
    environment: ({ id }) => buildEnvironment(process.env, { env: {}, passEnv: [] }, hostedMarker(hub, id)),
    folderOf,
  });
  const checker = createTaskChecker({ ...ports, schemas, runCheck, finish });
  return {
    checkSchema: schemas.check,
    begin: checker.begin,
    async end() {
      await checker.end();
      approvals.end();
      await schemas.end();
    },
  };
}
