import { Hourglass, Pause } from "lucide-react";
import type { HeldReason } from "../../model/held.js";
import { findAgentId, useAgentStore } from "../hub/agent-store.js";
import { statusLooks } from "../parts/agent-status.js";
import { Chip } from "../parts/chip.js";
import { sayAge } from "../parts/time.js";
import { useNow } from "../parts/use-now.js";
import "./pair-parts.css";
import type { Pair } from "./use-network.js";

/* The small parts of a pair's row: its cap, its cooldown, what is held. */

/** How much of its minute is used. */
export function CapMeter({ cap, sent, isNear }: { cap: number | null; sent: number; isNear: boolean }) {
  if (cap === null) return <span className="pair__dim">no cap</span>;
  return (
    <span className={`cap ${isNear ? "cap--near" : ""}`}>
      <svg className="cap__meter" viewBox="0 0 34 4" width="34" height="4" aria-hidden="true">
        <rect className="cap__ground" width="34" height="4" rx="2" />
        <rect className="cap__used" width={Math.min(1, sent / cap) * 34} height="4" rx="2" />
      </svg>
      <span className="figures">
        {sent}/{cap}
      </span>
    </span>
  );
}

const STEPS = [1, 2, 3, 4, 5] as const;

/** The level of the cooldown, as steps of 5 to 13; and how long it holds what comes next. */
export function CooldownSteps({ level, dueAt }: { level: number; dueAt: number }) {
  return (
    <span className="cooldown">
      <svg
        className="cooldown__steps"
        viewBox="0 0 33 13"
        width="33"
        height="13"
        role="img"
        aria-label={`Cooldown level ${level} of 5`}
      >
        {STEPS.map((step) => (
          <rect
            key={step}
            className={step <= level ? "cooldown__on" : "cooldown__off"}
            x={(step - 1) * 7}
            y={10 - step * 2}
            width="5"
            height={3 + step * 2}
            rx="1"
          />
        ))}
      </svg>
      {dueAt > 0 && <CooldownLeft dueAt={dueAt} />}
    </span>
  );
}

/** `4 s`, until it is over. */
export function CooldownLeft({ dueAt }: { dueAt: number }) {
  const left = dueAt - useNow();
  if (left <= 0) return null;
  return (
    <span className="cooldown__left figures">
      <Hourglass size={12} aria-hidden="true" />
      {sayAge(left + 999)}
    </span>
  );
}

/** What is held of a pair, and that it is paused. */
export function HeldChip({ pair }: { pair: Pick<Pair, "to" | "held" | "held_for" | "paused"> }) {
  const word = useHeldWord(pair.held_for, pair.to);
  if (pair.paused)
    return (
      <Chip tone="amber" icon={<Pause aria-hidden="true" />}>
        {pair.held === 0 ? "paused" : `${pair.held} paused`}
      </Chip>
    );
  if (pair.held === 0) return null;
  return (
    <Chip tone="amber">
      {pair.held} {word}
    </Chip>
  );
}

/** One reason by its name, several as `held`. */
function useHeldWord(heldFor: Pair["held_for"], to: string): string {
  const [only] = heldFor;
  const away = useAwayWord(to);
  if (only === undefined || heldFor.length > 1) return "held";
  return sayReason(only.reason, away);
}

export function sayReason(reason: HeldReason, away: string): string {
  switch (reason) {
    case "away":
      return away;
    case "backstop":
      return "hour's limit";
    default:
      return reason;
  }
}

/** Why somebody does not read now: `offline`, `usage limit`, `paused`. */
export function useAwayWord(name: string): string {
  return useAgentStore((agents) => {
    const row = agents.byId.get(findAgentId(agents, name) ?? "");
    if (row === undefined) return "away";
    return row.paused === true ? statusLooks.paused.word : statusLooks[row.state].word;
  });
}
