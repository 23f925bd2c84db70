import { assertNever } from "../model/assert-never.js";
import { answered, asking, cancelling, disarmAll } from "./driver-effects.js";
import { liftLimit, reachLimit } from "./driver-limit.js";
import type {
  Driver,
  DriverInput,
  DriverState,
  Effect,
  FailureKind,
  Rest,
  Step,
  StopReason,
  TimerName,
} from "./driver-model.js";

/*
 * The driver of one hosted agent, as a pure function: (driver, input) → (driver, effects). It is always in one of these:
 *
 *   dormant     no process; mail that asks for a turn loads it
 *   starting    the runtime starts it
 *   idle        it can take a prompt
 *   offering    a turn's mail is journalled as offered, and the runtime gives it to the agent
 *   busy        the agent took it and is at it
 *   cancelling  it was told to stop, because something else cannot wait
 *   stopping    its process is being ended on purpose
 *   backoff     it failed; it is tried again in a while, and the fourth time in a row it is given up
 *   limited     its vendor's usage limit is reached: mail waits until that is over, and nothing is tried
 *   gone        for good
 *
 * Attention decides when a turn begins, never what it carries: every turn takes all that can be delivered. A kill goes
 * to stopping from every state. A shutdown lets the turn end first, for a while, and then goes there.
 */

/** As many failures in a row as it takes to give up. */
export const GIVE_UP_AT = 4;

export const newDriver: Driver = { state: { kind: "dormant" }, failures: 0, limited: false, draining: null };

export function step(driver: Driver, input: DriverInput): Step {
  if (input.kind === "kill") return kill(driver);
  if (input.kind === "shutdown") return shutDown(driver, input);
  if (input.kind === "limited") return reachLimit(driver, rest);
  if (input.kind === "limit_over") return liftLimit(driver, input.waiting, { rest, start });
  const { state } = driver;
  switch (state.kind) {
    case "dormant":
      return inDormant(driver, input);
    case "starting":
      return inStarting(driver, state, input);
    case "idle":
      return inIdle(driver, input);
    case "offering":
      return inOffering(driver, state, input);
    case "busy":
      return inBusy(driver, state, input);
    case "cancelling":
      return inCancelling(driver, input);
    case "stopping":
      return inStopping(driver, state, input);
    case "backoff":
      return inBackoff(driver, input);
    case "limited":
      // It is started again when the limit is over, if mail waits then.
      return input.kind === "exited" ? go(driver, { kind: "dormant" }) : stay(driver);
    case "gone":
      return stay(driver);
    default:
      return assertNever(state);
  }
}

function stay(driver: Driver, ...effects: Effect[]): Step {
  return { driver, effects };
}

function go(driver: Driver, state: DriverState, ...effects: Effect[]): Step {
  return { driver: { ...driver, state }, effects };
}

function inDormant(driver: Driver, input: DriverInput): Step {
  if (driver.limited && input.kind === "mail") return stay(driver);
  if (input.kind === "load" || (input.kind === "mail" && input.attention !== "fyi")) {
    const noted = input.kind === "mail" && input.attention === "interrupt";
    const ending = input.kind === "load" ? input.ending : undefined;
    return start(ending === undefined ? driver : { ...driver, draining: { to: "gone", why: ending } }, noted);
  }
  return stay(driver);
}

function start(driver: Driver, noted: boolean): Step {
  const up: Effect = { do: "status", status: "starting", evidence: "it is being started" };
  // That it is limited says more.
  return go(driver, { kind: "starting", noted }, ...(driver.limited ? [] : [up]), { do: "start" });
}

function inStarting(
  driver: Driver,
  state: Extract<DriverState, { kind: "starting" }>,
  input: DriverInput,
): Step {
  switch (input.kind) {
    case "mail":
      return input.attention === "interrupt" ? go(driver, { ...state, noted: true }) : stay(driver);
    case "ready": {
      if (driver.draining?.why === "killed") return stop(driver, driver.draining, false);
      if (input.atIt === true) {
        const drain: Effect = { do: "arm", timer: "drain" };
        return go(
          driver,
          { kind: "busy", seen: false, stalled: false, asking: false },
          { do: "status", status: "busy", evidence: "it was still at it when the hub came back" },
          { do: "follow" },
          ...(driver.draining === null ? [] : [drain]),
        );
      }
      const next = rest(driver, input.waiting, { noted: state.noted, continues: false });
      const up: Effect = { do: "status", status: "idle", evidence: "it has started" };
      return next.driver.state.kind === "offering" ? { ...next, effects: [up, ...next.effects] } : next;
    }
    case "start_failed":
      return fail(driver, "start_failed");
    case "asked":
      return stay(driver, asking(input.words));
    case "answered":
      return stay(driver, { do: "status", status: "starting", evidence: "its dialog was answered" });
    case "exited":
      return fail(driver, "exited");
    default:
      return stay(driver);
  }
}

/** Between turns: on with the next if mail waits, else idle; or to its end, if that was asked for. */
function rest(driver: Driver, waiting: boolean, next: { noted: boolean; continues: boolean }): Step {
  if (driver.draining !== null) return stop(driver, driver.draining, true);
  if (driver.limited) return go(driver, { kind: "limited" }, { do: "show_limit" });
  if (waiting) return offer(driver, next);
  return go(
    driver,
    { kind: "idle" },
    { do: "status", status: "idle", evidence: "it waits for mail" },
    { do: "arm", timer: "idle" },
  );
}

function offer(driver: Driver, { noted, continues }: { noted: boolean; continues: boolean }): Step {
  return go(
    driver,
    { kind: "offering", cut: false },
    { do: "disarm", timer: "idle" },
    { do: "arm", timer: "offer" },
    { do: "offer", noted, continues },
  );
}

function inIdle(driver: Driver, input: DriverInput): Step {
  switch (input.kind) {
    case "mail":
      return input.attention === "fyi" ? stay(driver) : offer(driver, { noted: false, continues: false });
    case "asked":
      return stay(driver, asking(input.words));
    case "answered":
      return stay(driver, answered);
    case "screen_held":
      return stay(driver, asking(input.words));
    case "screen_free":
      return stay(driver, { do: "status", status: "idle", evidence: "its input box is free again" });
    case "exited":
      return fail(driver, "exited");
    case "time_out":
      return input.timer === "idle" ? stop(driver, { to: "dormant", why: "idle" }, true) : stay(driver);
    default:
      return stay(driver);
  }
}

function inOffering(
  driver: Driver,
  state: Extract<DriverState, { kind: "offering" }>,
  input: DriverInput,
): Step {
  switch (input.kind) {
    case "mail":
      return input.attention === "interrupt" ? go(driver, { ...state, cut: true }) : stay(driver);
    case "asked":
      return stay(driver, asking(input.words));
    case "answered":
      return stay(driver, answered);
    case "nothing_offered": {
      const rested = rest(driver, input.waiting, { noted: false, continues: false });
      return { ...rested, effects: [{ do: "disarm", timer: "offer" }, ...rested.effects] };
    }
    case "taken": {
      const busy: Effect[] = [
        { do: "disarm", timer: "offer" },
        { do: "record_taken" },
        { do: "status", status: "busy", evidence: "it took its mail" },
      ];
      return state.cut
        ? go(driver, { kind: "cancelling" }, ...busy, ...cancelling)
        : go(driver, { kind: "busy", seen: false, stalled: false, asking: false }, ...busy);
    }
    case "held":
      // The person may take as long as they like; its end does not wait for that.
      if (driver.draining !== null) return stop(driver, driver.draining, true);
      return go(
        driver,
        { kind: "idle" },
        { do: "disarm", timer: "offer" },
        { do: "status", status: "waiting", evidence: input.words },
      );
    case "ended": {
      // Over before it was seen to be taken: nothing of it is in the air any more.
      const rested = rest(driver, input.waiting, { noted: false, continues: false });
      return { ...rested, effects: [{ do: "disarm", timer: "offer" }, ...rested.effects] };
    }
    case "exited":
      return fail(driver, "exited");
    case "time_out":
      return timedOut(driver, input.timer, "offer", "not_taken");
    default:
      return stay(driver);
  }
}

function inBusy(driver: Driver, state: Extract<DriverState, { kind: "busy" }>, input: DriverInput): Step {
  switch (input.kind) {
    case "mail":
      return input.attention === "interrupt"
        ? go(driver, { kind: "cancelling" }, ...cancelling)
        : stay(driver);
    case "output": {
      const effects: Effect[] = [];
      if (!state.seen) effects.push({ do: "record_seen" });
      if (state.stalled) effects.push({ do: "status", status: "busy", evidence: "it goes on" });
      return go(driver, { ...state, seen: true, stalled: false }, ...effects);
    }
    case "silent":
      if (state.asking || state.stalled) return stay(driver);
      return go(
        driver,
        { ...state, stalled: true },
        { do: "status", status: "stalled", evidence: "it says nothing" },
      );
    case "asked":
      return go(driver, { ...state, asking: true, stalled: false }, asking(input.words));
    case "answered":
      return go(
        driver,
        { ...state, asking: false },
        { do: "status", status: "busy", evidence: "its permission was answered" },
      );
    case "ended":
      return turnOver(driver, input.waiting, false);
    case "exited":
      return fail(driver, "exited");
    case "time_out":
      return drained(driver, input.timer);
    default:
      return stay(driver);
  }
}

function inCancelling(driver: Driver, input: DriverInput): Step {
  switch (input.kind) {
    case "asked":
      return stay(driver, input.stands === true ? asking(input.words) : { do: "cancel_permissions" });
    case "answered":
      return stay(driver, { do: "status", status: "busy", evidence: "it was told to stop" });
    case "output":
      return stay(driver, { do: "record_seen" });
    case "ended": {
      const over = turnOver(driver, input.waiting, true);
      return { ...over, effects: [{ do: "disarm", timer: "cancel" }, ...over.effects] };
    }
    case "exited":
      return fail(driver, "exited");
    case "time_out":
      return timedOut(driver, input.timer, "cancel", "not_cancelled");
    default:
      return stay(driver);
  }
}

function turnOver(driver: Driver, waiting: boolean, continues: boolean): Step {
  return rest({ ...driver, failures: 0 }, waiting, { noted: false, continues });
}

/** Its own timer means failure; the drain's means that it had its time. */
function timedOut(driver: Driver, timer: TimerName, own: TimerName, why: FailureKind): Step {
  return timer === own ? fail(driver, why, { do: "kill_group" }) : drained(driver, timer);
}

function drained(driver: Driver, timer: TimerName): Step {
  return timer === "drain" && driver.draining !== null ? stop(driver, driver.draining, false) : stay(driver);
}

function inStopping(
  driver: Driver,
  state: Extract<DriverState, { kind: "stopping" }>,
  input: DriverInput,
): Step {
  if (input.kind !== "stopped") return stay(driver);
  const ended = { ...driver, draining: null };
  if (state.to === "gone") return go(ended, { kind: "gone" }, { do: "record_gone", why: state.why });
  const slept = go(ended, { kind: "dormant" }, { do: "record_stopped", why: state.why });
  // Mail that came meanwhile; not when the hub itself stops.
  if (!input.waiting || state.why !== "idle") return slept;
  const started = start(slept.driver, false);
  return { driver: started.driver, effects: [...slept.effects, ...started.effects] };
}

function inBackoff(driver: Driver, input: DriverInput): Step {
  if (input.kind !== "time_out" || input.timer !== "backoff") return stay(driver);
  if (input.waiting) return start(driver, false);
  return go(
    driver,
    { kind: "dormant" },
    { do: "status", status: "dormant", evidence: "it failed, and is tried again with the next message" },
  );
}

/** It failed. The mail that it had not seen waits; it is tried again, or given up. */
function fail(driver: Driver, why: FailureKind, ...first: Effect[]): Step {
  const failures = driver.failures + 1;
  const final = failures >= GIVE_UP_AT;
  const effects: Effect[] = [
    ...disarmAll,
    ...first,
    { do: "cancel_permissions" },
    { do: "record_failure", why, failures, final },
  ];
  if (driver.draining !== null) {
    const failed = { ...driver, failures };
    const stopped = stop(failed, driver.draining, false);
    return { driver: stopped.driver, effects: [...effects, ...stopped.effects] };
  }
  if (final) return { driver: { ...driver, state: { kind: "dormant" }, failures: 0 }, effects };
  effects.push({ do: "arm", timer: "backoff", failures });
  return { driver: { ...driver, state: { kind: "backoff" }, failures }, effects };
}

function stop(driver: Driver, { to, why }: { to: Rest; why: StopReason }, gentle: boolean): Step {
  return {
    driver: { ...driver, state: { kind: "stopping", to, why }, draining: null },
    effects: [...disarmAll, { do: "cancel_permissions" }, { do: "stop", gentle }],
  };
}

function kill(driver: Driver): Step {
  const { state } = driver;
  if (state.kind === "gone") return stay(driver);
  return stop(driver, { to: "gone", why: "killed" }, false);
}

function shutDown(driver: Driver, { to, why }: { to: Rest; why: StopReason }): Step {
  const { state } = driver;
  switch (state.kind) {
    case "gone":
      return stay(driver);
    case "stopping":
      // Going for good is stronger than going to sleep.
      return state.to === "gone" ? stay(driver) : go(driver, { kind: "stopping", to, why });
    case "offering":
    case "busy":
    case "cancelling":
      // Going for good is stronger here too.
      if (driver.draining?.to === "gone") return stay(driver);
      return {
        driver: { ...driver, draining: { to, why } },
        effects: driver.draining === null ? [{ do: "arm", timer: "drain" }] : [],
      };
    case "dormant":
    case "starting":
    case "idle":
    case "backoff":
    case "limited":
      return stop(driver, { to, why }, true);
    default:
      return assertNever(state);
  }
}
