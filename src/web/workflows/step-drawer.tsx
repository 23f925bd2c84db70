import { X } from "lucide-react";
import type { StepDetails, Workflow } from "../../client/hub-client.js";
import { IconButton } from "../parts/button.js";
import { ErrorCard } from "../parts/error-card.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { sayClock, toMs } from "../parts/time.js";
import { hrefOf } from "../shell/places.js";
import { CopyButton } from "./copy-button.js";
import { DrawerSection } from "./drawer-section.js";
import { PromptText } from "./prompt-text.js";
import { StepAsks } from "./step-asks.js";
import { StepFailed } from "./step-failed.js";
import { StepGlyph } from "./step-glyph.js";
import { StepInputs } from "./step-inputs.js";
import { canRetry, doerOf, lookOf, type Step, stepLooks } from "./step-look.js";
import { StepOutput } from "./step-output.js";
import { StepTime } from "./step-time.js";
import { StepChecks, StepTries } from "./step-tries.js";
import { useStepDetails } from "./use-workflows.js";
import "./step-drawer.css";

type Props = { workflow: Workflow; step: Step; onClose: () => void };

/** All about one step: what to do about it, what it was told, what flowed into it, and what came of it. */
export function StepDrawer({ workflow, step, onClose }: Props) {
  const { data, error, refetch } = useStepDetails(workflow.workflow_id, step.name);
  return (
    <div className="step-drawer">
      <header className="step-drawer__head">
        <StepGlyph look={lookOf(step)} />
        <div className="step-drawer__who">
          <h2 className="step-drawer__name" id="step-drawer-title">
            {step.name}
          </h2>
          <p className="step-drawer__facts figures">
            <Facts step={step} details={data} />
          </p>
        </div>
        <IconButton label="Close the step" icon={<X size={16} />} onClick={onClose} />
      </header>
      <section className="step-drawer__body" aria-labelledby="step-drawer-title" tabIndex={-1}>
        {step.status === "waiting" && <StepAsks key={step.name} workflow={workflow} step={step} />}
        {step.waits_for !== undefined && step.status !== "waiting" && (
          <DrawerSection title="Waits">
            <p className="step-drawer__text">
              For <ShownText text={step.waits_for} />.
            </p>
          </DrawerSection>
        )}
        {data === undefined ? (
          error === null ? (
            <DrawerSection>
              <Skeleton lines={6} label={`Loading ${step.name}`} />
            </DrawerSection>
          ) : (
            <ErrorCard
              title={`${step.name} could not be loaded`}
              error={error}
              retry={() => void refetch()}
            />
          )
        ) : (
          <Details workflow={workflow} step={step} details={data} />
        )}
      </section>
    </div>
  );
}

function Details({ workflow, step, details }: { workflow: Workflow; step: Step; details: StepDetails }) {
  const last = details.tries.at(-1);
  return (
    <>
      {canRetry(step) && <StepFailed key={step.name} workflow={workflow} details={details} />}
      {details.prompt !== null && (
        <DrawerSection title="Prompt" aside={<CopyButton text={details.prompt} label="Copy the prompt" />}>
          <PromptText text={details.prompt} />
        </DrawerSection>
      )}
      {details.inputs.length > 0 && <StepInputs workflow={workflow.workflow_id} inputs={details.inputs} />}
      {details.comment !== null && (
        <DrawerSection title="You said">
          <p className="step-drawer__text">
            <ShownText text={details.comment} />
          </p>
        </DrawerSection>
      )}
      {last !== undefined && last.checks.length > 0 && <StepChecks checks={last.checks} />}
      <StepOutput
        step={step}
        output={details.output}
        at={last?.ended === null || last === undefined ? undefined : sayClock(toMs(last.ended))}
      />
      {details.tries.length > 0 && <StepTries tries={details.tries} />}
      {last?.worktree !== undefined && last.worktree !== null && (
        <DrawerSection title="Worktree" aside={last.worktree.kept ? "kept" : "removed: nothing changed"}>
          <p className="step-drawer__text">
            <code>
              <ShownText text={last.worktree.branch} />
            </code>{" "}
            · {last.worktree.commits} commits, {last.worktree.files} files, +{last.worktree.insertions} −
            {last.worktree.deletions}
          </p>
        </DrawerSection>
      )}
    </>
  );
}

/** `pay-dev · try 1 of 2 · 1:48` */
function Facts({ step, details }: { step: Step; details: StepDetails | undefined }) {
  const doer = doerOf(step);
  const most = typeof details?.on_failure === "object" ? details.on_failure.retry + 1 : undefined;
  const hasTries = step.attempt > 0 && (step.attempt > 1 || most !== undefined);
  return (
    <>
      {doer === "" || doer === "you" ? (
        doer
      ) : (
        <a href={hrefOf({ page: "agent", name: doer })}>
          <ShownText text={doer} />
        </a>
      )}
      {hasTries && ` · try ${step.attempt}${most === undefined || most < step.attempt ? "" : ` of ${most}`}`}
      {` · ${stepLooks[lookOf(step)].word}`}
      {step.started !== null && (
        <>
          {" · "}
          <StepTime step={step} />
        </>
      )}
      {step.repeated === true && " · repeated"}
    </>
  );
}
