import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";

/** How each event changes the rows. The end of a step costs by what depends on it, not by the size of its workflow. */
export function foldWorkflows(db: Database): View["folds"] {
  const create = db.prepare(
    "INSERT INTO workflow (id, seq, creator, state, steps, over, bad, runs) VALUES (?, ?, ?, 'running', ?, 0, 0, 1)",
  );
  const addStep = db.prepare(
    `INSERT INTO workflow_step (workflow, name, place, state, waits, bad, skipped, attempt, spent, continued)
     VALUES (?, ?, ?, 'pending', ?, 0, 0, 0, 0, 0)`,
  );
  const addEdge = db.prepare("INSERT INTO workflow_edge (workflow, step, dependent) VALUES (?, ?, ?)");
  const start = db.prepare(
    `UPDATE workflow_step SET state = 'running', attempt = ?2, spent = spent + 1, started = coalesce(started, ?3), error = NULL,
       tries = CASE WHEN task IS NULL THEN tries ELSE json_insert(coalesce(tries, '[]'), '$[#]', task) END, task = ?1
     WHERE workflow = ?4 AND name = ?5`,
  );
  const ask = db.prepare(
    "UPDATE workflow_step SET state = 'waiting', asked = ?, started = ? WHERE workflow = ? AND name = ?",
  );
  // What comes of it follows: it starts, or ends.
  const decide = db.prepare(
    "UPDATE workflow_step SET state = 'pending', decided = ? WHERE workflow = ? AND name = ?",
  );
  const endStep = db.prepare(
    "UPDATE workflow_step SET state = ?, ended = ?, error = ?, continued = ? WHERE workflow = ? AND name = ?",
  );
  const tell = db.prepare(
    `UPDATE workflow_step SET waits = waits - 1, bad = bad + ?, skipped = skipped + ?
     WHERE workflow = ? AND name IN (SELECT dependent FROM workflow_edge WHERE workflow = ? AND step = ?)`,
  );
  const count = db.prepare("UPDATE workflow SET over = over + 1, bad = bad + ? WHERE id = ?");
  const reset = db.prepare(
    `UPDATE workflow_step SET state = 'pending', spent = 0, asked = NULL, decided = NULL, started = NULL, ended = NULL,
       error = NULL, continued = 0
     WHERE workflow = ? AND name IN (SELECT value FROM json_each(?))`,
  );
  const isBadIn = (row: string) =>
    `${row}.state IN ('failed', 'blocked', 'cancelled') AND ${row}.continued = 0`;
  const recount = db.prepare(
    `UPDATE workflow_step AS own SET (waits, bad, skipped) = (
       SELECT count(*) FILTER (WHERE d.state IN ('pending', 'running', 'waiting')),
              count(*) FILTER (WHERE ${isBadIn("d")}),
              count(*) FILTER (WHERE d.state = 'skipped')
       FROM workflow_edge e JOIN workflow_step d ON d.workflow = e.workflow AND d.name = e.step
       WHERE e.workflow = own.workflow AND e.dependent = own.name)
     WHERE workflow = ? AND name IN (SELECT value FROM json_each(?))`,
  );
  const assign = db.prepare("UPDATE workflow_step SET assignee = ? WHERE workflow = ? AND name = ?");
  const restart = db.prepare(
    `UPDATE workflow SET runs = runs + (state <> 'running'), state = 'running', ended = NULL,
       over = (SELECT count(*) FROM workflow_step WHERE workflow = id AND state NOT IN ('pending', 'running', 'waiting')),
       bad = (SELECT count(*) FROM workflow_step s WHERE s.workflow = id AND ${isBadIn("s")})
     WHERE id = ?`,
  );
  const end = db.prepare("UPDATE workflow SET state = ?, ended = ? WHERE id = ?");
  return {
    WorkflowCreated({ seq, data: { workflow } }) {
      create.run(workflow.id, seq, workflow.by, workflow.steps.length);
      for (const [place, { name, dependsOn }] of workflow.steps.entries()) {
        addStep.run(workflow.id, name, place, dependsOn.length);
        for (const step of dependsOn) addEdge.run(workflow.id, step, name);
      }
    },
    StepStarted({ at, data }) {
      start.run(data.task, data.attempt, at, data.workflow, data.step);
    },
    StepWaiting({ at, data }) {
      ask.run(at, at, data.workflow, data.step);
    },
    StepDecided({ seq, data }) {
      decide.run(seq, data.workflow, data.step);
    },
    StepEnded({ at, data: { workflow, step, status, error, continued } }) {
      const isBad = continued !== true && status !== "done" && status !== "skipped" ? 1 : 0;
      endStep.run(status, at, error ?? null, continued === true ? 1 : 0, workflow, step);
      tell.run(isBad, status === "skipped" ? 1 : 0, workflow, workflow, step);
      count.run(isBad, workflow);
    },
    StepsReset({ data: { workflow, step, steps, assignee } }) {
      const names = JSON.stringify(steps);
      reset.run(workflow, names);
      recount.run(workflow, names);
      if (assignee !== undefined) assign.run(JSON.stringify(assignee), workflow, step);
      restart.run(workflow);
    },
    WorkflowEnded({ at, data }) {
      end.run(data.state, at, data.workflow);
    },
  };
}
