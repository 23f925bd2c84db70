import { sayRate } from "../../parts/say-rate.js";
import { sayAge, toMs } from "../../parts/time.js";
import { isSilent } from "../network-model.js";
import { isNearCap } from "../pair.js";
import type { Pair } from "../use-network.js";

/** How the line of a pair looks. `label` is short; `isLoud`: it is shown even among many. */
export type EdgeLook = {
  width: number;
  tone: "plain" | "amber";
  dash: "none" | "held" | "silent";
  label: string | undefined;
  isLoud: boolean;
};

const quiet = { width: 1.25, tone: "plain", dash: "silent", isLoud: false } as const;

/** `ring`: of one that waits for the person, or may soon. `at`: when the pair was as it says. */
export function describeEdge(
  pair: Pair,
  { isPingPong, ring, at }: { isPingPong: boolean; ring: "none" | "open" | "paused"; at: number },
): EdgeLook {
  const { held, cap, per_minute, sent_last_minute } = pair;
  // In steps, so that a line is not drawn anew for every message.
  const width = Math.round(Math.min(7, 1.25 + 0.55 * per_minute) * 4) / 4;
  const amber = { width, tone: "amber", isLoud: true } as const;
  const rate = `${sayRate(per_minute)}/min`;
  if (pair.paused) return { ...amber, dash: "held", label: held === 0 ? "paused" : `paused · ${held} held` };
  // The words stand once, for the whole ring.
  if (ring === "paused") return { ...amber, dash: "held", label: undefined };
  if (cap !== null && (isNearCap(pair) || pair.next_ms > 0))
    return { ...amber, dash: "none", label: `${rate} · ${sent_last_minute}/${cap} cap` };
  if (held > 0 && pair.held_for.every(({ reason }) => reason === "away"))
    return { ...quiet, label: `${held} wait` };
  if (held > 0) return { ...amber, dash: "held", label: `${held} held` };
  if (isPingPong || ring === "open") return { ...amber, dash: "none", label: rate };
  if (isSilent(pair))
    return { ...quiet, label: pair.last === null ? undefined : `silent ${sayAge(at - toMs(pair.last))}` };
  return { width, tone: "plain", dash: "none", label: rate, isLoud: false };
}
