import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkProperty } from "../../test/fakes/check-property.js";
import { GIVE_UP_AT, newDriver, step } from "./driver-machine.js";
import type { Driver, DriverInput, DriverState, Effect, StateKind } from "./driver-model.js";

/*
 * The table of the design, cell by cell: every state with every input. A cell says the state that follows and what is
 * done; `-` means that the input changes nothing there.
 */

const states: Record<string, DriverState> = {
  dormant: { kind: "dormant" },
  starting: { kind: "starting", noted: false },
  idle: { kind: "idle" },
  offering: { kind: "offering", cut: false },
  "offering, cut": { kind: "offering", cut: true },
  busy: { kind: "busy", seen: false, stalled: false, asking: false },
  "busy, seen": { kind: "busy", seen: true, stalled: false, asking: false },
  "busy, stalled": { kind: "busy", seen: true, stalled: true, asking: false },
  "busy, asking": { kind: "busy", seen: true, stalled: false, asking: true },
  cancelling: { kind: "cancelling" },
  "stopping to dormant": { kind: "stopping", to: "dormant", why: "idle" },
  "stopping to gone": { kind: "stopping", to: "gone", why: "killed" },
  backoff: { kind: "backoff" },
  limited: { kind: "limited" },
  gone: { kind: "gone" },
};

const inputs: Record<string, DriverInput> = {
  queue: { kind: "mail", attention: "queue" },
  interrupt: { kind: "mail", attention: "interrupt" },
  fyi: { kind: "mail", attention: "fyi" },
  load: { kind: "load" },
  "ready, mail": { kind: "ready", waiting: true },
  "ready, no mail": { kind: "ready", waiting: false },
  "start failed": { kind: "start_failed" },
  "nothing offered": { kind: "nothing_offered", waiting: false },
  "nothing offered, mail": { kind: "nothing_offered", waiting: true },
  held: { kind: "held", words: "a dialog is open" },
  taken: { kind: "taken" },
  output: { kind: "output" },
  silent: { kind: "silent" },
  "asked, and stands": { kind: "asked", words: "", stands: true },
  "screen held": { kind: "screen_held", words: "" },
  "screen free": { kind: "screen_free" },
  asked: { kind: "asked", words: "it asks: rm -rf build" },
  answered: { kind: "answered" },
  "ended, mail": { kind: "ended", waiting: true },
  "ended, no mail": { kind: "ended", waiting: false },
  exited: { kind: "exited" },
  "idle time-out": { kind: "time_out", timer: "idle", waiting: false },
  "offer time-out": { kind: "time_out", timer: "offer", waiting: false },
  "cancel time-out": { kind: "time_out", timer: "cancel", waiting: false },
  "backoff over, mail": { kind: "time_out", timer: "backoff", waiting: true },
  "backoff over, no mail": { kind: "time_out", timer: "backoff", waiting: false },
  "drain time-out": { kind: "time_out", timer: "drain", waiting: false },
  shutdown: { kind: "shutdown", to: "gone", why: "shutdown" },
  kill: { kind: "kill" },
  "stopped, mail": { kind: "stopped", waiting: true },
  "stopped, no mail": { kind: "stopped", waiting: false },
};

/** What matters of an effect, as words; timers and their like are tested apart. */
function words(effects: readonly Effect[]): string {
  return effects
    .flatMap((effect) => {
      switch (effect.do) {
        case "arm":
        case "disarm":
        case "cancel_permissions":
          return [];
        case "status":
          return [`is ${effect.status}`];
        case "offer":
          return [
            ["offer", ...(effect.noted ? ["noted"] : []), ...(effect.continues ? ["continues"] : [])].join(
              " ",
            ),
          ];
        case "stop":
          return [effect.gentle ? "stop" : "kill"];
        case "record_failure":
          return [`failed: ${effect.why}`];
        case "record_stopped":
        case "record_gone":
          return [`${effect.do} (${effect.why})`];
        default:
          return [effect.do];
      }
    })
    .join(", ");
}

type Cell = `${StateKind}` | `${StateKind}: ${string}`;

const starts: Cell = "starting: is starting, start";
const offers: Cell = "offering: offer";
const rests: Cell = "idle: is idle";
const fails = (why: string): Cell => `backoff: failed: ${why}`;
const kills: Cell = "stopping: kill";
const ends: Cell = "stopping: stop";
const asks = (state: StateKind): Record<string, Cell> => ({
  asked: `${state}: is waiting`,
  "asked, and stands": `${state}: is waiting`,
});

/** Only the cells where something happens; in all others the state stays and nothing is done. */
const table: Record<string, Record<string, Cell>> = {
  dormant: { queue: starts, interrupt: starts, load: starts, shutdown: ends, kill: kills },
  starting: {
    interrupt: "starting",
    "ready, mail": "offering: is idle, offer",
    "ready, no mail": rests,
    "start failed": fails("start_failed"),
    ...asks("starting"),
    answered: "starting: is starting",
    exited: fails("exited"),
    shutdown: ends,
    kill: kills,
  },
  idle: {
    queue: offers,
    interrupt: offers,
    ...asks("idle"),
    "screen held": "idle: is waiting",
    "screen free": "idle: is idle",
    answered: "idle: is idle",
    exited: fails("exited"),
    "idle time-out": ends,
    shutdown: ends,
    kill: kills,
  },
  offering: {
    interrupt: "offering",
    ...asks("offering"),
    answered: "offering: is idle",
    "nothing offered": rests,
    "nothing offered, mail": offers,
    held: "idle: is waiting",
    taken: "busy: record_taken, is busy",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    "offer time-out": "backoff: kill_group, failed: not_taken",
    shutdown: "offering",
    kill: kills,
  },
  "offering, cut": {
    interrupt: "offering",
    ...asks("offering"),
    answered: "offering: is idle",
    "nothing offered": rests,
    "nothing offered, mail": offers,
    held: "idle: is waiting",
    taken: "cancelling: record_taken, is busy, cancel",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    "offer time-out": "backoff: kill_group, failed: not_taken",
    shutdown: "offering",
    kill: kills,
  },
  busy: {
    interrupt: "cancelling: cancel",
    output: "busy: record_seen",
    silent: "busy: is stalled",
    ...asks("busy"),
    answered: "busy: is busy",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    shutdown: "busy",
    kill: kills,
  },
  "busy, seen": {
    interrupt: "cancelling: cancel",
    silent: "busy: is stalled",
    ...asks("busy"),
    answered: "busy: is busy",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    shutdown: "busy",
    kill: kills,
  },
  "busy, stalled": {
    interrupt: "cancelling: cancel",
    output: "busy: is busy",
    ...asks("busy"),
    answered: "busy: is busy",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    shutdown: "busy",
    kill: kills,
  },
  "busy, asking": {
    interrupt: "cancelling: cancel",
    ...asks("busy"),
    answered: "busy: is busy",
    "ended, mail": offers,
    "ended, no mail": rests,
    exited: fails("exited"),
    shutdown: "busy",
    kill: kills,
  },
  cancelling: {
    output: "cancelling: record_seen",
    "asked, and stands": "cancelling: is waiting",
    answered: "cancelling: is busy",
    "ended, mail": "offering: offer continues",
    "ended, no mail": rests,
    exited: fails("exited"),
    "cancel time-out": "backoff: kill_group, failed: not_cancelled",
    shutdown: "cancelling",
    kill: kills,
  },
  "stopping to dormant": {
    shutdown: "stopping",
    kill: kills,
    "stopped, mail": "starting: record_stopped (idle), is starting, start",
    "stopped, no mail": "dormant: record_stopped (idle)",
  },
  "stopping to gone": {
    kill: kills,
    "stopped, mail": "gone: record_gone (killed)",
    "stopped, no mail": "gone: record_gone (killed)",
  },
  backoff: {
    "backoff over, mail": starts,
    "backoff over, no mail": "dormant: is dormant",
    shutdown: ends,
    kill: kills,
  },
  limited: { exited: "dormant", shutdown: ends, kill: kills },
  gone: {},
};

const cells = Object.keys(states).flatMap((state) =>
  Object.keys(inputs).map((input) => [state, input] as const),
);

test.each(cells)("%s: %s", (state, input) => {
  const before: Driver = { ...newDriver, state: states[state] as DriverState };
  const { driver, effects } = step(before, inputs[input] as DriverInput);
  const wanted = table[state]?.[input] ?? before.state.kind;

  const done = words(effects);
  expect(done === "" ? driver.state.kind : `${driver.state.kind}: ${done}`).toBe(wanted);
  if (table[state]?.[input] === undefined) expect(driver).toEqual(before);
});

const at = (state: DriverState, more: Partial<Driver> = {}): Driver => ({ ...newDriver, state, ...more });
const busy = states["busy, seen"] as DriverState;
const timers = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.do === "arm" ? [effect.timer] : []));

test("an interrupt while it starts is noted with the offer that carries it", () => {
  const noted = step(at({ kind: "starting", noted: false }), { kind: "mail", attention: "interrupt" }).driver;
  expect(words(step(noted, { kind: "ready", waiting: true }).effects)).toBe("is idle, offer noted");
  const loaded = step(newDriver, { kind: "mail", attention: "interrupt" }).driver;
  expect(words(step(loaded, { kind: "ready", waiting: true }).effects)).toBe("is idle, offer noted");
});

test("one that is still in its turn is busy at once, and its mail waits for the end of that", () => {
  const { driver, effects } = step(at({ kind: "starting", noted: false }), {
    kind: "ready",
    waiting: true,
    atIt: true,
  });
  expect(driver.state).toEqual({ kind: "busy", seen: false, stalled: false, asking: false });
  expect(effects.map((effect) => effect.do)).toEqual(["status", "follow"]);
});

test("each wait has its timer, and leaving it calls the timer off", () => {
  expect(timers(step(at({ kind: "idle" }), { kind: "mail", attention: "queue" }).effects)).toEqual(["offer"]);
  expect(timers(step(at(busy), { kind: "ended", waiting: false }).effects)).toEqual(["idle"]);
  expect(timers(step(at(busy), { kind: "mail", attention: "interrupt" }).effects)).toEqual(["cancel"]);
  expect(timers(step(at(busy), { kind: "exited" }).effects)).toEqual(["backoff"]);
  expect(timers(step(at(busy), { kind: "shutdown", to: "gone", why: "shutdown" }).effects)).toEqual([
    "drain",
  ]);
  const taken = step(at({ kind: "offering", cut: false }), { kind: "taken" }).effects;
  expect(taken).toContainEqual({ do: "disarm", timer: "offer" });
  const ended = step(at({ kind: "cancelling" }), { kind: "ended", waiting: true }).effects;
  expect(ended).toContainEqual({ do: "disarm", timer: "cancel" });
});

test("a cancel withdraws the agent's questions, and later ones too", () => {
  const cancelled: Effect = { do: "cancel_permissions" };
  expect(step(at(busy), { kind: "mail", attention: "interrupt" }).effects).toContainEqual(cancelled);
  expect(step(at({ kind: "cancelling" }), { kind: "asked", words: "" }).effects).toContainEqual(cancelled);
});

describe("failures", () => {
  test("the fourth in a row gives up, and the count starts over", () => {
    let driver = at({ kind: "idle" });
    for (let n = 1; n < GIVE_UP_AT; n++) {
      const failed = step(driver, { kind: "exited" });
      expect(failed.driver).toMatchObject({ state: { kind: "backoff" }, failures: n });
      expect(failed.effects).toContainEqual({
        do: "record_failure",
        why: "exited",
        failures: n,
        final: false,
      });
      driver = step(failed.driver, { kind: "time_out", timer: "backoff", waiting: true }).driver;
    }
    const last = step(driver, { kind: "start_failed" });
    expect(last.driver).toMatchObject({ state: { kind: "dormant" }, failures: 0 });
    expect(last.effects).toContainEqual({
      do: "record_failure",
      why: "start_failed",
      failures: GIVE_UP_AT,
      final: true,
    });
  });

  test("a turn that ends makes good for all before it", () => {
    const { driver } = step(at(busy, { failures: 3 }), { kind: "ended", waiting: false });
    expect(driver.failures).toBe(0);
    expect(step(driver, { kind: "exited" }).driver.failures).toBe(1);
  });
});

describe("draining", () => {
  const draining = step(at(busy), { kind: "shutdown", to: "gone", why: "shutdown" }).driver;

  test("the turn goes on, and no other follows it", () => {
    expect(draining.state.kind).toBe("busy");
    const over = step(draining, { kind: "ended", waiting: true });
    expect(over.driver.state).toEqual({ kind: "stopping", to: "gone", why: "shutdown" });
    expect(words(over.effects)).toBe("stop");
  });

  test("its time being up ends it", () => {
    const { driver, effects } = step(draining, { kind: "time_out", timer: "drain", waiting: false });
    expect(driver.state).toEqual({ kind: "stopping", to: "gone", why: "shutdown" });
    expect(words(effects)).toBe("kill");
  });

  test("a screen that needs the person does not keep it", () => {
    const offering = at({ kind: "offering", cut: false });
    const asked = step(offering, { kind: "shutdown", to: "dormant", why: "hub_stop" }).driver;
    const { driver } = step(asked, { kind: "held", words: "a draft is in its input box" });
    expect(driver.state).toEqual({ kind: "stopping", to: "dormant", why: "hub_stop" });
  });

  test("one that fails while it drains is not started again", () => {
    const { driver } = step(draining, { kind: "exited" });
    expect(driver.state).toEqual({ kind: "stopping", to: "gone", why: "shutdown" });
  });

  test("going for good is stronger than going to sleep, also when the hub stops", () => {
    const going = at({ kind: "stopping", to: "gone", why: "killed" });
    expect(step(going, { kind: "shutdown", to: "dormant", why: "hub_stop" }).driver).toEqual(going);
  });

  test("mail that comes while the hub stops starts nothing", () => {
    const stopping = at({ kind: "stopping", to: "dormant", why: "hub_stop" });
    expect(step(stopping, { kind: "stopped", waiting: true }).driver.state.kind).toBe("dormant");
  });
});

const anyInput = fc.constantFrom<DriverInput>(
  ...Object.values(inputs),
  { kind: "limited" },
  { kind: "limit_over", waiting: true },
);

test("whatever comes in whatever order: never two offers without an end between, never a prompt without a process", () => {
  checkProperty(
    fc.property(fc.array(anyInput, { maxLength: 200 }), (sequence) => {
      let driver = newDriver;
      for (const input of sequence) {
        const before = driver.state.kind;
        const next = step(driver, input);
        const does = next.effects.map((effect) => effect.do);
        if (does.includes("offer")) {
          // A turn that is open was ended, or was never begun.
          expect(["starting", "idle", "offering", "busy", "cancelling", "limited"]).toContain(before);
          expect(next.driver.limited).toBe(false);
          if (before === "offering" || before === "busy" || before === "cancelling") {
            expect(["ended", "nothing_offered"]).toContain(input.kind);
          }
        }
        if (does.includes("start")) expect(["dormant", "backoff", "stopping"]).toContain(before);
        if (does.includes("cancel")) expect(["busy", "offering"]).toContain(before);
        if (before === "gone") expect(next).toEqual({ driver, effects: [] });
        expect(next.driver.failures).toBeLessThan(GIVE_UP_AT);
        driver = next.driver;
      }
    }),
    { runs: 1000 },
  );
}, 300_000);
