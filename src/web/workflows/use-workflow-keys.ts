import type { Workflow } from "../../client/hub-client.js";
import { useKeys } from "../shell/use-keys.js";
import { asksApproval, canRetry, type Step } from "./step-look.js";
import type { GraphView } from "./workflow-header.js";

type Options = {
  workflow: Workflow | undefined;
  chosen: Step | undefined;
  isOpen: boolean;
  view: GraphView;
  choose: (step: string) => void;
  open: (step: string) => void;
  close: () => void;
  setView: (view: GraphView) => void;
  toggleFailed: () => void;
  run: () => void;
  cancel: () => void;
  nextRun: (by: number) => void;
};

const views: readonly GraphView[] = ["both", "graph", "timeline"];

/** Keys of the page. What acts presses the button in the drawer, which must be open: nothing is decided unseen. */
export function useWorkflowKeys(options: Options): void {
  const { workflow, chosen, isOpen, view } = options;
  const steps = workflow?.steps ?? [];
  const move = (by: number) => {
    const now = chosen === undefined ? -1 : steps.indexOf(chosen);
    const at = now < 0 ? (by > 0 ? 0 : steps.length - 1) : now + by;
    const next = steps[Math.max(0, Math.min(steps.length - 1, at))];
    if (next !== undefined) options.choose(next.name);
  };
  const press = (what: string) => (event: KeyboardEvent) => {
    if (event.repeat || chosen === undefined) return;
    if (!isOpen) return options.open(chosen.name);
    document.querySelector<HTMLButtonElement>(`[data-act="${what}"]`)?.click();
  };
  const enter = (event: KeyboardEvent) => {
    const { target } = event;
    // Anywhere else Enter presses what has the focus.
    if (target instanceof HTMLElement && target.matches("button:not([data-step]), a, summary"))
      return target.click();
    const name = chosen?.name ?? steps[0]?.name;
    if (name !== undefined) options.open(name);
  };
  const canRun = chosen !== undefined && canRetry(chosen);
  const isAsked = chosen !== undefined && asksApproval(chosen);
  useKeys("Workflows", [
    { keys: "k", label: "step", pair: "j", act: () => move(-1) },
    { keys: "j", label: "next step", quiet: true, act: () => move(1) },
    { keys: "Enter", label: "open", act: enter },
    ...(isAsked
      ? [
          { keys: "a", label: "approve", act: press("approve") },
          { keys: "d", label: "reject", act: press("reject") },
        ]
      : []),
    ...(canRun
      ? [
          { keys: "R", label: "retry from here", act: press("retry") },
          { keys: "r", label: "retry from here", quiet: true, act: press("retry") },
          { keys: "i", label: "give to another agent", quiet: true, act: press("give") },
        ]
      : []),
    {
      keys: "v",
      label: "graph, timeline",
      act: () => options.setView(views[(views.indexOf(view) + 1) % views.length] ?? "both"),
    },
    { keys: "x", label: "failed only", act: options.toggleFailed },
    { keys: "c", label: "run a workflow", quiet: true, act: options.run },
    ...(workflow !== undefined && workflow.ended === null
      ? [{ keys: "X", label: "cancel the workflow", quiet: true, act: options.cancel }]
      : []),
    { keys: "]", label: "older run", quiet: true, act: () => options.nextRun(1) },
    { keys: "[", label: "newer run", quiet: true, act: () => options.nextRun(-1) },
    ...(isOpen ? [{ keys: "Escape", label: "close the step", quiet: true, act: options.close }] : []),
  ]);
}
