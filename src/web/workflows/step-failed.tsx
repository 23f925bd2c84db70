import { RotateCcw } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { StepDetails, Workflow } from "../../client/hub-client.js";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { Chip } from "../parts/chip.js";
import { ShownText } from "../parts/shown-text.js";
import { DrawerSection } from "./drawer-section.js";
import { exitOf, sayNext } from "./say-next.js";
import { GiveMenu, retryStep } from "./workflow-acts.js";

const titles: Readonly<Record<string, string>> = {
  failed: "Why it failed",
  blocked: "Why it is blocked",
  skipped: "Why it was skipped",
  cancelled: "It was cancelled",
};

/** Why it did not succeed, and what to do about that. */
export function StepFailed({ workflow, details }: { workflow: Workflow; details: StepDetails }) {
  const [isGiving, setGiving] = useState(false);
  const [isWorking, setWorking] = useState(false);
  const give = useRef<HTMLButtonElement>(null);
  const canAct = useCanAct();
  const exit = exitOf(details);
  const { name } = details;
  const { workflow_id } = workflow;
  const retry = useCallback(
    (agent?: string) => {
      setWorking(true);
      void retryStep(workflow_id, name, agent).finally(() => setWorking(false));
    },
    [workflow_id, name],
  );
  const behind = workflow.steps.filter(({ status }) => status === "blocked").length;
  return (
    <DrawerSection
      title={titles[details.status] ?? ""}
      aside={exit === undefined ? undefined : <Chip tone="red">exit {exit}</Chip>}
    >
      {details.error !== null && (
        <p className="step-drawer__why">
          <ShownText text={upperFirst(details.error)} />
        </p>
      )}
      <p className="step-drawer__next">
        Next: <ShownText text={lowerFirst(sayNext(details))} />
        {details.status === "failed" && behind > 0 && ` ${sayBehind(behind)}`}
      </p>
      <div className="step-drawer__acts">
        <Button
          icon={<RotateCcw size={13} />}
          data-act="retry"
          disabled={!canAct}
          working={isWorking}
          onClick={() => retry()}
        >
          Retry from here
        </Button>
        {details.prompt !== null && (
          <Button
            ref={give}
            data-act="give"
            aria-haspopup="menu"
            aria-expanded={isGiving}
            disabled={!canAct || isWorking}
            onClick={() => setGiving(!isGiving)}
          >
            Give to…
          </Button>
        )}
      </div>
      {isGiving && (
        <GiveMenu anchor={give} except={details.agent} onGive={retry} onClose={() => setGiving(false)} />
      )}
    </DrawerSection>
  );
}

function sayBehind(count: number): string {
  return count === 1 ? "One step waits for it." : `${count} steps wait for it.`;
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
