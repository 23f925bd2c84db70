import { Play } from "lucide-react";
import { useCallback, useState } from "react";
import type { Workflow } from "../../client/hub-client.js";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { PageFrame } from "../shell/page-frame.js";
import { useTitle } from "../shell/page-title.js";
import { usePageWish } from "../shell/page-wish.js";
import { goTo } from "../shell/places.js";
import { usePanel } from "../shell/use-panel.js";
import { usePhone } from "../shell/use-phone.js";
import { RunDialog } from "./run-dialog.js";
import { RunsTable } from "./runs-table.js";
import { StepDrawer } from "./step-drawer.js";
import { StepGraph } from "./step-graph.js";
import { Timeline } from "./timeline.js";
import { useWorkflowKeys } from "./use-workflow-keys.js";
import { isUnknown, type Run, useRuns, useWorkflow } from "./use-workflows.js";
import { AskCancel } from "./workflow-acts.js";
import { type GraphView, WorkflowHeader } from "./workflow-header.js";
import "./workflows-page.css";

type Props = { id: string | undefined; step: string | undefined };

/** A workflow as a graph and over time, its steps, and the runs of before; all of them share what is chosen. */
export function WorkflowsPage({ id, step }: Props) {
  const isPhone = usePhone();
  const [failedOnly, setFailedOnly] = useState(false);
  const [kept, setView] = useState<GraphView>("both");
  const [dialog, setDialog] = useState<"run" | "cancel">();
  usePageWish("run-workflow", () => setDialog("run"));
  const all = useRuns(false);
  const failed = useRuns(true);
  const runs = failedOnly ? failed : all;
  const shownId = id ?? firstChoice(all.runs);
  const { data: workflow, error, refetch } = useWorkflow(shownId);
  const chosen = workflow?.steps.find(({ name }) => name === step);
  const { isOpen, setOpen, noteMove } = usePanel(step === undefined ? undefined : `${shownId} ${step}`);
  useTitle(workflow?.name ?? "Workflows");
  const view = isPhone && kept === "both" ? "graph" : kept;

  const choose = useCallback(
    (name: string) => {
      if (shownId === undefined) return;
      noteMove(`${shownId} ${name}`);
      goTo({ page: "workflows", id: shownId, step: name }, { replace: true });
      // Of several places where it stands, the one in the graph has the focus, unless somebody is in the drawer.
      window.requestAnimationFrame(() => {
        if (document.activeElement?.closest(".step-drawer") === null)
          document
            .querySelector<HTMLElement>(`[data-step="${CSS.escape(name)}"]`)
            ?.focus({ preventScroll: true });
      });
    },
    [shownId, noteMove],
  );
  const open = useCallback(
    (name: string) => {
      if (shownId === undefined) return;
      setOpen(true);
      goTo({ page: "workflows", id: shownId, step: name }, { replace: true });
    },
    [shownId, setOpen],
  );
  const close = () => {
    setOpen(false);
    if (chosen !== undefined) choose(chosen.name);
  };
  const listed = runs.runs ?? [];
  const nextRun = (by: number) => {
    const at = listed.findIndex(({ workflow_id }) => workflow_id === shownId);
    const next = listed[at + by];
    if (next !== undefined) goTo({ page: "workflows", id: next.workflow_id });
  };
  useWorkflowKeys({
    workflow,
    chosen,
    isOpen,
    view: kept,
    choose,
    open,
    close,
    setView,
    toggleFailed: () => setFailedOnly(!failedOnly),
    run: () => setDialog("run"),
    cancel: () => setDialog("cancel"),
    nextRun,
  });

  return (
    <PageFrame
      panel={
        workflow !== undefined &&
        chosen !== undefined &&
        isOpen && <StepDrawer workflow={workflow} step={chosen} onClose={close} />
      }
      panelLabel={chosen === undefined ? undefined : `Step ${chosen.name}`}
    >
      {workflow !== undefined ? (
        <WorkflowHeader
          workflow={workflow}
          runs={all.runs ?? []}
          view={view}
          onView={setView}
          failedOnly={failedOnly}
          onFailedOnly={() => setFailedOnly(!failedOnly)}
          onCancel={() => setDialog("cancel")}
        />
      ) : (
        <header className="workflows__head">
          <h1 className="workflows__title workflows__title--plain">Workflows</h1>
        </header>
      )}
      <div className={`workflows workflows--${view}`}>
        {workflow !== undefined ? (
          <Drawn workflow={workflow} view={view} chosen={step} onOpen={open} />
        ) : shownId === undefined && all.runs !== undefined ? (
          <NoWorkflow onRun={() => setDialog("run")} />
        ) : error === null ? (
          <div className="workflows__state">
            <Skeleton lines={8} label="Loading the workflow" />
          </div>
        ) : isUnknown(error) ? (
          <EmptyState title="No such workflow" command="huddle workflow list">
            It may be too old: only what the hub still keeps can be shown.
          </EmptyState>
        ) : (
          <div className="workflows__state">
            <ErrorCard title="The workflow could not be loaded" error={error} retry={() => void refetch()} />
          </div>
        )}
        {(listed.length > 0 || failedOnly || all.error !== null) && (
          <RunsTable query={runs} chosen={shownId} failedOnly={failedOnly} onRun={() => setDialog("run")} />
        )}
      </div>
      {dialog === "run" && <RunDialog onClose={() => setDialog(undefined)} />}
      {dialog === "cancel" && workflow !== undefined && (
        <AskCancel workflow={workflow} onClose={() => setDialog(undefined)} />
      )}
    </PageFrame>
  );
}

type DrawnProps = {
  workflow: Workflow;
  view: GraphView;
  chosen: string | undefined;
  onOpen: (step: string) => void;
};

function Drawn({ workflow, view, chosen, onOpen }: DrawnProps) {
  return (
    <>
      {view !== "timeline" && <StepGraph workflow={workflow} chosen={chosen} onOpen={onOpen} />}
      {view !== "graph" && <Timeline workflow={workflow} chosen={chosen} onOpen={onOpen} />}
    </>
  );
}

function NoWorkflow({ onRun }: { onRun: () => void }) {
  const canAct = useCanAct();
  return (
    <EmptyState
      title="No workflows yet"
      command="huddle workflow run FILE.yaml"
      action={
        <Button kind="primary" icon={<Play size={12} />} disabled={!canAct} onClick={onRun}>
          Run a workflow…
        </Button>
      }
    >
      A workflow is a list of steps that agents carry out, each as soon as those that it depends on are done.
      You see them here as a graph and over time. In a terminal:
    </EmptyState>
  );
}

/** What runs, the newest first; else what ran last. */
function firstChoice(runs: readonly Run[] | undefined): string | undefined {
  return (runs?.find(({ ended }) => ended === null) ?? runs?.[0])?.workflow_id;
}
