import { useState } from "react";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import { ExactBlock } from "./exact-command.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard, NeedFacts } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** A step of a workflow that asks before it runs, with the prompt and what flows into it. */
export function StepCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"step"> }) {
  const act = useAct();
  const { click, canAct } = useSteady();
  const [comment, setComment] = useState("");
  const { workflow, name, by, step, prompt, agent, backend, inputs } = facts;
  const body = comment.trim() === "" ? {} : { comment };
  const props = (what: string) => ({ working: act.isWorking(what), disabled: act.isBusy || !canAct });
  return (
    <NeedCard
      shown={shown}
      who={agent === null ? [] : [agent]}
      says={{ name, what: `asks before its step ${step}` }}
      failed={act.state}
      actions={
        <>
          <Button
            {...props("approve")}
            className="need__first"
            shortcut="o"
            data-act-key="o"
            onClick={click(() => void act.run("approve", () => hub.approveStep(workflow, step, body)))}
          >
            Approve
          </Button>
          <input
            className="need__comment"
            aria-label="What you say about it"
            placeholder="Say something with it (optional)"
            value={comment}
            disabled={act.isBusy}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button
            {...props("reject")}
            kind="danger"
            className="need__deny"
            shortcut="d"
            data-act-key="d"
            onClick={click(() => void act.run("reject", () => hub.rejectStep(workflow, step, body)))}
          >
            Reject
          </Button>
        </>
      }
    >
      <div className="need__asked">
        {prompt !== null && (
          <ExactBlock label={`What ${agent ?? backend ?? "the agent"} is told`} text={prompt} />
        )}
        {inputs.map(({ step: from, status, output, error }) => (
          <ExactBlock key={from} label={`${from} · ${status}`} text={output ?? error ?? "put out nothing"} />
        ))}
      </div>
      <NeedFacts
        facts={[
          ["workflow", <code key="w">{workflow}</code>],
          by === "user" ? undefined : ["made by", by],
          agent === null ? (backend === null ? undefined : ["starts", backend]) : ["agent", agent],
        ]}
      />
    </NeedCard>
  );
}
