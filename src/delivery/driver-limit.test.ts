import { expect, test } from "vitest";
import { newDriver, step } from "./driver-machine.js";
import type { Driver, DriverInput, DriverState, Effect } from "./driver-model.js";

const at = (state: DriverState, more: Partial<Driver> = {}): Driver => ({ ...newDriver, state, ...more });
const busy: DriverState = { kind: "busy", seen: true, stalled: false, asking: false };

/** What is done, without timers. */
const done = (effects: readonly Effect[]) =>
  effects
    .filter((effect) => effect.do !== "arm" && effect.do !== "disarm")
    .map((effect) => (effect.do === "status" ? `is ${effect.status}` : effect.do))
    .join(", ");

const inTurn: Record<string, DriverState> = {
  offering: { kind: "offering", cut: false },
  "offering, cut": { kind: "offering", cut: true },
  busy: { ...busy, seen: false },
  "busy, seen": busy,
  "busy, stalled": { ...busy, stalled: true },
  cancelling: { kind: "cancelling" },
};

test.each(Object.keys(inTurn))("%s: the turn is over, and no other begins", (state) => {
  const limited = step(at(inTurn[state] as DriverState, { failures: 2 }), { kind: "limited" });
  expect(limited.driver).toMatchObject({ state: { kind: "limited" }, limited: true, failures: 2 });
  expect(done(limited.effects)).toBe("show_limit");
  for (const attention of ["queue", "interrupt"] as const)
    expect(step(limited.driver, { kind: "mail", attention })).toEqual({ ...limited, effects: [] });
});

const limited = at({ kind: "limited" }, { limited: true });
const asleep = at({ kind: "dormant" }, { limited: true });
const over = (waiting: boolean): DriverInput => ({ kind: "limit_over", waiting });

test("when it is over, what waits is offered", () => {
  expect(done(step(limited, over(true)).effects)).toBe("is idle, offer");
  expect(step(limited, over(false)).driver).toEqual(at({ kind: "idle" }));
  expect(done(step(asleep, over(true)).effects)).toBe("is starting, start");
  expect(done(step(asleep, over(false)).effects)).toBe("is dormant");
});

test("one that is started before that takes no mail yet", () => {
  expect(step(asleep, { kind: "mail", attention: "queue" }).effects).toEqual([]);
  const loaded = step(asleep, { kind: "load" });
  expect(done(loaded.effects)).toBe("start");
  const ready = step(loaded.driver, { kind: "ready", waiting: true });
  expect(ready.driver.state.kind).toBe("limited");
  expect(done(step(ready.driver, over(true)).effects)).toBe("is idle, offer");
});

test("it does not keep an agent that is to end", () => {
  const draining = step(at(busy), { kind: "shutdown", to: "gone", why: "shutdown" }).driver;
  expect(step(draining, { kind: "limited" }).driver.state.kind).toBe("stopping");
});
