import { useState } from "react";
import type { Workflow } from "../../client/hub-client.js";
import { useCanAct } from "../hub/connection.js";
import { Button } from "../parts/button.js";
import { Age } from "../parts/elapsed.js";
import { ShownText } from "../parts/shown-text.js";
import { toMs } from "../parts/time.js";
import { hrefOf } from "../shell/places.js";
import { DrawerSection } from "./drawer-section.js";
import { asksApproval, type Step } from "./step-look.js";
import { decideStep } from "./workflow-acts.js";

/** What the person is asked, and the answers. */
export function StepAsks({ workflow, step }: { workflow: Workflow; step: Step }) {
  const since = step.waiting_since;
  const aside = since === undefined ? undefined : <Age since={toMs(since)} />;
  if (!asksApproval(step))
    return (
      <DrawerSection title="Waits for you" aside={aside}>
        <p className="step-drawer__text">
          For <ShownText text={step.waits_for ?? "the person"} />.
        </p>
        <a className="button button--rest button--28" href={hrefOf({ page: "needs-you" })}>
          Go to Needs you
        </a>
      </DrawerSection>
    );
  return (
    <DrawerSection title="Waits for you" aside={aside}>
      <p className="step-drawer__text">
        {workflow.name} asks before this step {step.agent === "" ? "lets it go on" : "runs"}. Read what it is
        told and what flows into it below.
      </p>
      <Approval workflow={workflow.workflow_id} step={step.name} />
    </DrawerSection>
  );
}

function Approval({ workflow, step }: { workflow: string; step: string }) {
  const [comment, setComment] = useState("");
  const [working, setWorking] = useState<"approve" | "reject">();
  const canAct = useCanAct();
  const decide = (verdict: "approve" | "reject") => {
    setWorking(verdict);
    void decideStep(workflow, step, verdict, comment).finally(() => setWorking(undefined));
  };
  const off = !canAct || working !== undefined;
  return (
    <>
      <textarea
        className="step-drawer__comment"
        aria-label="What you say about it"
        placeholder="Say something with it (optional)"
        rows={2}
        maxLength={2000}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <div className="step-drawer__acts">
        <Button
          shortcut="a"
          data-act="approve"
          disabled={off}
          working={working === "approve"}
          onClick={() => decide("approve")}
        >
          Approve
        </Button>
        <Button
          kind="danger"
          shortcut="d"
          data-act="reject"
          className="step-drawer__reject"
          disabled={off}
          working={working === "reject"}
          onClick={() => decide("reject")}
        >
          Reject
        </Button>
      </div>
    </>
  );
}
