import { ChevronDown, Ellipsis } from "lucide-react";
import { useRef, useState } from "react";
import type { Workflow } from "../../client/hub-client.js";
import { deskLink } from "../../model/desk-link.js";
import { useCanAct } from "../hub/connection.js";
import { Button, IconButton } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { Menu } from "../parts/menu.js";
import { SegmentBar } from "../parts/segment-bar.js";
import { SegmentedControl } from "../parts/segmented-control.js";
import { ShownText } from "../parts/shown-text.js";
import { sayWhen, toMs } from "../parts/time.js";
import { showToast } from "../parts/toast-store.js";
import { goTo } from "../shell/places.js";
import { usePhone } from "../shell/use-phone.js";
import { StepGlyph } from "./step-glyph.js";
import { workflowWords } from "./step-look.js";
import { StepTime } from "./step-time.js";
import type { Run } from "./use-workflows.js";
import { progressOf, sayProgress, sayRun } from "./workflow-progress.js";

export type GraphView = "both" | "graph" | "timeline";

const viewWords: { readonly [V in GraphView]: string } = {
  both: "Both",
  graph: "Graph",
  timeline: "Timeline",
};

type Props = {
  workflow: Workflow;
  runs: readonly Run[];
  view: GraphView;
  onView: (view: GraphView) => void;
  failedOnly: boolean;
  onFailedOnly: () => void;
  onCancel: () => void;
};

/** Which workflow it is, how far it has come, and what of it is shown. */
export function WorkflowHeader({ workflow, runs, view, onView, failedOnly, onFailedOnly, onCancel }: Props) {
  const isPhone = usePhone();
  const { word, tone } = workflowWords[workflow.status];
  return (
    <header className="workflows__head">
      <RunMenu workflow={workflow} runs={runs} />
      <Chip
        tone={tone === "dim" ? "plain" : tone}
        icon={<StepGlyph look={workflow.status === "cancelled" ? "cancelled" : workflow.status} />}
      >
        {word}
      </Chip>
      <span className="workflows__far">
        <SegmentBar width={120} segments={progressOf(workflow)} />
        <span className="workflows__count figures">
          {sayProgress(workflow)} · <StepTime step={{ started: workflow.created, ended: workflow.ended }} />
        </span>
      </span>
      <span className="workflows__choices">
        <Button aria-pressed={failedOnly} className="workflows__failed" onClick={onFailedOnly}>
          Failed only
        </Button>
        <SegmentedControl
          label="View"
          value={view}
          onChange={onView}
          segments={(isPhone
            ? (["graph", "timeline"] as const)
            : (["both", "graph", "timeline"] as const)
          ).map((value) => ({ value, label: viewWords[value] }))}
        />
        <MoreMenu workflow={workflow} onCancel={onCancel} />
      </span>
    </header>
  );
}

const MOST = 14;

function RunMenu({ workflow, runs }: { workflow: Workflow; runs: readonly Run[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <h1 className="workflows__title">
      <button
        ref={button}
        type="button"
        className="workflows__name"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="workflows__words">
          <ShownText text={workflow.name} />
        </span>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      {isOpen && (
        <Menu
          label="Another run"
          anchor={button}
          placement="below-start"
          onClose={() => setOpen(false)}
          items={runs.slice(0, MOST).map((run) => ({
            label: `${run.name} · ${sayRun(run)}`,
            hint: sayWhen(toMs(run.created), Date.now()),
            checked: run.workflow_id === workflow.workflow_id,
            act: () => goTo({ page: "workflows", id: run.workflow_id }),
          }))}
        />
      )}
    </h1>
  );
}

function MoreMenu({ workflow, onCancel }: { workflow: Workflow; onCancel: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const canAct = useCanAct();
  const copy = async () => {
    const link = deskLink(window.location.origin, { page: "workflows", id: workflow.workflow_id });
    await navigator.clipboard.writeText(link);
    showToast({ tone: "done", title: "Link copied", text: link });
  };
  return (
    <>
      <IconButton
        ref={button}
        label={`More about ${workflow.name}`}
        icon={<Ellipsis size={16} />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Menu
          label={`Workflow ${workflow.name}`}
          anchor={button}
          onClose={() => setOpen(false)}
          items={[
            { label: "Copy link", act: () => void copy() },
            {
              label: "Cancel the workflow…",
              danger: true,
              off: !canAct || workflow.ended !== null,
              act: onCancel,
            },
          ]}
        />
      )}
    </>
  );
}
