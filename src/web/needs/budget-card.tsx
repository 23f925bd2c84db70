import { Play, Square } from "lucide-react";
import { hub } from "../hub/hub.js";
import { Button } from "../parts/button.js";
import type { FactsAbout } from "./facts-about.js";
import { NeedCard } from "./need-card.js";
import type { ShownNeed } from "./shown-needs.js";
import { useAct } from "./use-act.js";
import { useSteady } from "./use-steady.js";

/** An agent or a workflow that has used what it may. */
export function BudgetCard({ shown, facts }: { shown: ShownNeed; facts: FactsAbout<"budget"> }) {
  const act = useAct();
  const { click, canAct } = useSteady();
  const { of, key, name, usd, tokens, used } = facts;
  const decide = (decision: "continue" | "stop") =>
    void act.run(decision, () => hub.decideBudget(of, key, decision));
  const props = (what: string) => ({ working: act.isWorking(what), disabled: act.isBusy || !canAct });
  const most = usd === undefined ? `${(tokens ?? 0).toLocaleString("en")} tokens` : `$${usd}`;
  const spent = usd === undefined ? `${used.tokens.toLocaleString("en")} tokens` : `$${used.usd.toFixed(2)}`;
  return (
    <NeedCard
      shown={shown}
      who={of === "agent" ? [name] : []}
      says={{
        name,
        what:
          of === "agent"
            ? "has used its budget; its mail waits"
            : "has used its budget; no further step begins",
      }}
      failed={act.state}
      actions={
        <>
          <Button {...props("continue")} icon={<Play size={14} />} onClick={click(() => decide("continue"))}>
            Continue, {most} more
          </Button>
          <Button
            {...props("stop")}
            kind="danger"
            icon={<Square size={14} />}
            onClick={click(() => decide("stop"))}
          >
            End {of === "agent" ? "the agent" : "the workflow"}
          </Button>
        </>
      }
    >
      <p className="need__meter figures">
        <meter className="meter" min={0} max={1} value={1} aria-label="Of its budget" />
        <span className="need__amber">
          {spent} of {most}
        </span>
      </p>
    </NeedCard>
  );
}
