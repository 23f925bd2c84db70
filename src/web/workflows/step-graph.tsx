import { Maximize2, Minus, Plus } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Workflow } from "../../client/hub-client.js";
import { IconButton } from "../parts/button.js";
import { edgeLook } from "./edge-look.js";
import { layoutSteps, type StepLayout } from "./layout-steps.js";
import { StepNode } from "./step-node.js";
import "./step-graph.css";

type Props = {
  workflow: Workflow;
  chosen: string | undefined;
  onOpen: (step: string) => void;
};

const SMALLEST = 0.3;
/** The buttons in its corner are to cover no step that is looked at. */
const ZOOM_BAR = 32;

/** The steps and what depends on what. It scrolls; its size is chosen by the buttons in its corner, or with the wheel and Ctrl. */
export function StepGraph({ workflow, chosen, onOpen }: Props) {
  const { steps } = workflow;
  const layout = useLayout(steps);
  const box = useRef<HTMLElement>(null);
  const [zoom, setZoom] = useZoom(box, layout, workflow.workflow_id);
  useShown(box, chosen, layout, zoom);
  const byName = useMemo(() => new Map(steps.map((step) => [step.name, step])), [steps]);
  const first = steps[0]?.name;
  return (
    <div className="step-graph">
      <section className="step-graph__box" ref={box} aria-label="Graph" tabIndex={-1}>
        <div
          className="step-graph__sheet"
          style={{ width: layout.width * zoom, height: layout.height * zoom }}
        >
          <div className="step-graph__scaled" style={{ transform: `scale(${zoom})` }}>
            <svg className="step-graph__lines" width={layout.width} height={layout.height} aria-hidden="true">
              {layout.edges.map(({ from, to, path, end }) => {
                const [source, target] = [byName.get(from), byName.get(to)];
                if (source === undefined || target === undefined) return null;
                return (
                  <g key={`${from} ${to}`} className={`step-line step-line--${edgeLook(source, target)}`}>
                    <path className="step-line__way" d={path} />
                    <path className="step-line__head" d={`M${end.x + 6} ${end.y}l-7 -4v8z`} />
                  </g>
                );
              })}
            </svg>
            <ol className="step-graph__steps" aria-label={`Steps of ${workflow.name}`}>
              {steps.map((step) => (
                <StepNode
                  key={step.name}
                  step={step}
                  place={layout.steps.get(step.name)}
                  isChosen={step.name === chosen}
                  isReached={step.name === (chosen ?? first)}
                  onOpen={onOpen}
                />
              ))}
            </ol>
          </div>
        </div>
      </section>
      <div className="step-graph__zoom">
        <IconButton
          label="Smaller"
          icon={<Minus size={14} />}
          disabled={zoom <= SMALLEST}
          onClick={() => setZoom(zoom / 1.25)}
        />
        <IconButton label="Fit" icon={<Maximize2 size={14} />} onClick={() => setZoom("fit")} />
        <IconButton
          label="Larger"
          icon={<Plus size={14} />}
          disabled={zoom >= 1.5}
          onClick={() => setZoom(zoom * 1.25)}
        />
      </div>
    </div>
  );
}

/** Made anew only when other steps are there: nothing moves while they run. */
function useLayout(steps: Workflow["steps"]): StepLayout {
  const shape = JSON.stringify(steps.map(({ name, depends_on }) => [name, depends_on]));
  return useMemo(() => {
    performance.mark("steps-begin");
    const layout = layoutSteps(steps);
    // The bench of the desk reads it.
    performance.measure("lay out steps", "steps-begin");
    return layout;
  }, [shape]);
}

/** As wide as there is room, if that can still be read; else as it is, to be scrolled. */
function useZoom(
  box: RefObject<HTMLElement | null>,
  layout: StepLayout,
  id: string,
): [number, (zoom: number | "fit") => void] {
  const [zoom, setZoom] = useState(1);
  const fit = (least: number) => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (clientWidth === 0) return 1;
    const whole = Math.min(1, clientWidth / layout.width, Math.max(clientHeight, 240) / layout.height);
    return whole >= least ? whole : 1;
  };
  useEffect(() => setZoom(fit(0.62)), [layout, id]);
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      setZoom((before) => clamp(before * (event.deltaY > 0 ? 0.9 : 1.1)));
    };
    // Only a listener that is not passive can keep the page from zooming.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [box]);
  return [zoom, (to) => setZoom(to === "fit" ? Math.max(SMALLEST, fit(0)) : clamp(to))];
}

function clamp(zoom: number): number {
  return Math.max(SMALLEST, Math.min(1.5, zoom));
}

/** The chosen step is in sight. */
function useShown(
  box: RefObject<HTMLElement | null>,
  chosen: string | undefined,
  layout: StepLayout,
  zoom: number,
): void {
  useEffect(() => {
    const place = chosen === undefined ? undefined : layout.steps.get(chosen);
    const element = box.current;
    if (place === undefined || element === null) return;
    const step = element.querySelector(`[data-step="${CSS.escape(chosen ?? "")}"]`);
    if (step === null) return;
    const outer = element.getBoundingClientRect();
    const inner = step.getBoundingClientRect();
    const edge = 24;
    const left = Math.min(0, inner.left - outer.left - edge) + Math.max(0, inner.right - outer.right + edge);
    const top =
      Math.min(0, inner.top - outer.top - edge) + Math.max(0, inner.bottom - outer.bottom + edge + ZOOM_BAR);
    if (left !== 0 || top !== 0) element.scrollBy({ left, top });
  }, [box, chosen, layout, zoom]);
}
