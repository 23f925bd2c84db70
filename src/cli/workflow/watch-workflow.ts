import type { Workflow } from "../../client/hub-client.js";
import type { CliContext } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { shortId } from "../short-id.js";
import { followWorkflow } from "./follow-workflow.js";
import { renderChanges } from "./render-changes.js";
import { renderProgress } from "./render-progress.js";
import { renderSummary } from "./render-summary.js";
import { createScreen } from "./screen.js";
import { isOver, resultCode } from "./workflow-result.js";

/** `screen` is drawn in place, `lines` has a line for each change, `nothing` only waits. */
export type Progress = "screen" | "lines" | "nothing";

type Display = {
  show(workflow: Workflow): void;
  trouble(text: string | undefined): void;
  close(): void;
};

const SECOND = 1000;

/** Follows a workflow to its end and tells how it ended; what it answers is the exit code. */
export async function watchWorkflow(cli: CliContext, id: string, progress: Progress): Promise<number> {
  const { io, output } = cli;
  const signal = io.interruption();
  const display = displays[progress](cli);
  let workflow: Workflow;
  try {
    workflow = await followWorkflow(cli, id, { onChange: display.show, onTrouble: display.trouble, signal });
  } finally {
    display.close();
  }
  const link = (await deskLines(cli))({ page: "workflows", id: workflow.workflow_id });
  if (!isOver(workflow)) {
    const shown = shortId(workflow.workflow_id);
    const waits = workflow.status === "waiting" ? " and waits for you" : "";
    output.note(
      `The workflow goes on${waits}.\n  Watch it: huddle workflow watch ${shown}\n  Cancel it: huddle workflow cancel ${shown}${link}`,
    );
    return resultCode(workflow);
  }
  if (progress === "screen") io.stdout.write("\n");
  output.result(workflow, () => renderSummary(workflow, output.colors) + link);
  return resultCode(workflow);
}

const displays: Readonly<Record<Progress, (cli: CliContext) => Display>> = {
  screen({ io, output: { colors } }) {
    const screen = createScreen(io.stdout);
    let latest: Workflow | undefined;
    let trouble: string | undefined;
    const draw = () => {
      if (latest === undefined) return;
      const { columns = 80, rows = 24 } = io.stdout;
      // The last row stays free for the cursor.
      screen.draw(
        renderProgress(latest, { now: io.now(), width: columns, height: rows - 1, colors, trouble }),
      );
    };
    const clock = setInterval(draw, SECOND);
    io.stdout.on("resize", draw);
    return {
      show(workflow) {
        latest = workflow;
        draw();
      },
      trouble(text) {
        trouble = text;
        draw();
      },
      close() {
        clearInterval(clock);
        io.stdout.off("resize", draw);
      },
    };
  },
  lines({ io, output }) {
    let before: Workflow | undefined;
    return {
      show(workflow) {
        for (const line of renderChanges(before, workflow, io.now())) io.stdout.write(`${line}\n`);
        before = workflow;
      },
      trouble: (text) => output.note(text ?? "The hub is back."),
      close() {},
    };
  },
  nothing: ({ output }) => ({
    show() {},
    trouble: (text) => output.note(text ?? "The hub is back."),
    close() {},
  }),
};
