import type { Driver, Effect, Step } from "./driver-model.js";

/*
 * A vendor's usage limit, as the machine of the driver sees it: while it holds, no turn begins, whatever the state. An agent
 * with a process is `limited` then; one without stays as it is.
 */

type Next = { noted: boolean; continues: boolean };
type Steps = {
  rest(driver: Driver, waiting: boolean, next: Next): Step;
  start(driver: Driver, noted: boolean): Step;
};

const plain: Next = { noted: false, continues: false };

/** The turn that it is in is over. */
export function reachLimit(driver: Driver, rest: Steps["rest"]): Step {
  const { kind } = driver.state;
  if (kind === "gone") return { driver, effects: [] };
  const limited = { ...driver, limited: true };
  if (!["idle", "offering", "busy", "cancelling"].includes(kind)) return { driver: limited, effects: [] };
  const rested = rest(limited, false, plain);
  const disarm = (["idle", "offer", "cancel"] as const).map((timer) => ({ do: "disarm" as const, timer }));
  return { ...rested, effects: [...disarm, ...rested.effects] };
}

export function liftLimit(driver: Driver, waiting: boolean, { rest, start }: Steps): Step {
  const { kind } = driver.state;
  if (!driver.limited || kind === "gone") return { driver, effects: [] };
  const lifted = { ...driver, limited: false };
  const over = "its vendor's usage limit is over";
  if (kind === "limited") {
    const rested = rest(lifted, waiting, plain);
    const up: Effect = { do: "status", status: "idle", evidence: over };
    return { ...rested, effects: [up, ...rested.effects] };
  }
  if (kind !== "dormant") return { driver: lifted, effects: [] };
  if (waiting) return start(lifted, false);
  return { driver: lifted, effects: [{ do: "status", status: "dormant", evidence: over }] };
}
