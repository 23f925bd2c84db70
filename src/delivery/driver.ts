import type { ExecuteCommand } from "../hub/deciders.js";
import { standsStill } from "../hub/rules/stands-still.js";
import { hasWakingMail } from "../hub/rules/waking-mail.js";
import type { AgentId } from "../model/agent.js";
import { assertNever } from "../model/assert-never.js";
import type { Attention } from "../model/attention.js";
import { isBridged, type TmuxPane } from "../model/hosting.js";
import { quoteLine } from "../model/others-words.js";
import type { PermissionId } from "../model/permission.js";
import { runtimeTraits } from "../model/runtime-traits.js";
import type { AgentExit } from "../model/turn.js";
import type { AgentHost, HostedAgent, Launch, Runtime, UsageLimit } from "../runtime/runtime.js";
import type { TightViews } from "../views/tight.js";
import { asRefusal, describeFailure, describeStartError } from "./describe-failure.js";
import { newDriver, step } from "./driver-machine.js";
import type { DriverInput, Effect, Ending, Rest, StateKind, StopReason, TimerName } from "./driver-model.js";
import { createLimitWatch } from "./limit-watch.js";
import type { LiveTurnKeeper } from "./live/live-turns.js";
import { createPermissionDesk } from "./permission-desk.js";
import { createStateWatch } from "./state-watch.js";
import { createStoreForSure } from "./store-for-sure.js";
import type { After } from "./timers.js";
import { createTurnRunner, type PromptOptions } from "./turn-runner.js";

/*
 * Runs the machine of one hosted agent against its runtime. All that is decided is in `driver-machine.ts`; here it is
 * done, and what comes of it is told to the machine, one input after the other.
 */

export type DriverLimits = {
  unloadAfterMs: number;
  takenWithinMs: number;
  cancelWithinMs: number;
  shutdownWithinMs: number;
  stalledAfterMs: number;
  /** How long a pane may take until it can be typed into. */
  readyWithinMs: number;
  reofferAfterMs: number;
  /** The pause after each failure in a row. */
  backoffMs: readonly number[];
  /** How long after a usage limit's end it goes on. */
  limitMarginMs: number;
  /** The pause before each try in a row after a usage limit of which the vendor does not say when it is over. */
  limitPauseMs: readonly number[];
};

type DriverPorts = {
  agent: AgentId;
  /** It was spawned just now: if it does not start, it goes as if it had not been. */
  isNew: boolean;
  runtime: Runtime;
  /** It did not start, and never had: true if another driver starts it in another way. */
  startOtherwise: (error: unknown) => Promise<boolean>;
  /** Makes what the agent is started from, its identity file included. */
  prepare: () => Promise<Launch>;
  /** Removes that again. */
  cleanUp: () => void;
  views: TightViews;
  execute: ExecuteCommand;
  /** Hub time. */
  now: () => number;
  wall: () => number;
  after: After;
  newId: () => string;
  limits: DriverLimits;
  prompts: PromptOptions;
  live: Pick<LiveTurnKeeper, "prepare">;
  onError: (error: unknown) => void;
  onState?: (kind: StateKind) => void;
};

export type AgentDriver = {
  readonly agent: AgentId;
  state(): StateKind;
  /** Where its screen is, while it has one open. */
  tmux(): TmuxPane | undefined;
  /** `woken`: it is the one that is to look at an open request. */
  mail(attention: Attention, woken?: boolean): void;
  /** Starts a turn if mail waits. */
  look(): void;
  /** Interrupts its turn, if it is in one. */
  cut(): void;
  /** `ending`: only so that it can be ended. */
  load(ending?: Ending | null): void;
  /** It was at its vendor's usage limit when the hub last ran. */
  limited(limit: UsageLimit): void;
  /** A person wants it tried in spite of that. False when it is not limited. */
  retry(): boolean;
  shutdown(to: Rest, why: StopReason): void;
  kill(): void;
  /** Whatever was given time to end has had it. */
  hurry(): void;
  permissionAnswered(id: PermissionId, option: string | undefined): void;
  /** Looks whether what it asks is still asked. */
  recheck(): Promise<void>;
  /** Resolves when it is in one of these states. */
  reaches(...kinds: StateKind[]): Promise<StateKind>;
};

const GENTLE_MS = 2000;
const draftWords = "mail waits until the draft in its input box is gone";

export function createDriver(ports: DriverPorts): AgentDriver {
  const { agent, execute, views, limits, after, onError } = ports;
  const { onScreen } = runtimeTraits[ports.runtime.kind];
  // With a bridge of its own it is an agent without its pane all the same.
  const isOwn = isBridged(views.roster.byId(agent));
  let machine = newDriver;
  let hosted: HostedAgent | undefined;
  let starting: { done: Promise<void>; abort: () => void } | undefined;
  let ending: Promise<void> = Promise.resolve();
  let startError: unknown;
  let screen: TmuxPane | undefined;
  let exit: AgentExit | undefined;
  let everReady = !ports.isNew;
  /** Why its pane is let go: it is none of ours then, and is not tried again. */
  let closed: string | undefined;
  let woken = false;
  const timers = new Map<TimerName, () => void>();
  const watch = createStateWatch(() => machine.state.kind, ports.onState);
  const inputs: DriverInput[] = [];
  let running = false;

  const isStill = () => standsStill(views, agent);
  const hasMail = () => hasWakingMail(views, agent, ports.now() - limits.reofferAfterMs);
  const isWaiting = () => !isStill() && (woken || hasMail());
  const record = (done: Promise<unknown>) => void done.catch(onError);
  const storeForSure = createStoreForSure(after);

  /** One input after the other, also when doing what one asks for brings about the next. */
  function take(input: DriverInput) {
    inputs.push(input);
    if (running) return;
    running = true;
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
        const before = machine.state.kind;
        const { driver, effects } = step(machine, next);
        machine = driver;
        for (const effect of effects) perform(effect);
        if (machine.state.kind !== before) watch.changed();
      }
    } finally {
      running = false;
    }
  }

  const permissions = createPermissionDesk({
    agent,
    execute,
    newId: ports.newId,
    onOpen: (words, stands) => take({ kind: "asked", words, stands }),
    onAllAnswered: () => take({ kind: "answered" }),
    onError,
  });
  const limit = createLimitWatch({
    after,
    wall: ports.wall,
    marginMs: limits.limitMarginMs,
    pauseMs: limits.limitPauseMs,
    onOver: () => take({ kind: "limit_over", waiting: isWaiting() }),
  });
  const turns = createTurnRunner({ ...ports, take, isWaiting, limit, state: () => machine.state.kind });

  function perform(effect: Effect): void {
    switch (effect.do) {
      case "start":
        starting = start();
        return;
      case "offer":
        woken = false;
        if (hosted !== undefined) record(turns.offer(hosted, effect));
        return;
      case "follow":
        record(turns.follow());
        return;
      case "record_taken":
        turns.recordTaken();
        return;
      case "record_seen":
        turns.recordSeen();
        return;
      case "cancel":
        if (hosted !== undefined) record(hosted.interrupt());
        return;
      case "cancel_permissions":
        permissions.cancelAll();
        return;
      case "kill_group":
        ending = end(0);
        return;
      case "stop":
        record(stop(effect.gentle ? GENTLE_MS : 0));
        return;
      case "record_failure": {
        const { turn, taken, refusal, said } = turns.abandon();
        const why = describeFailure(effect.why, { startError, exit, refusal, limits });
        const retryInMs = effect.final ? null : backoff(effect.failures);
        hosted = undefined;
        const { failures, final } = effect;
        const crash = { agent, turn, taken, said, why, exit, failures, retryInMs };
        // What comes back by it may be there only after the pause is over.
        const crashed = storeForSure(() => execute("recordCrash", crash));
        record(crashed.then(() => (final ? undefined : look())));
        return;
      }
      case "record_stopped": {
        const { turn, said } = turns.abandon();
        const stopped = { agent, stop: "hub_stop", text: "", ...said } as const;
        if (turn !== undefined) record(storeForSure(() => execute("recordTurnEnded", { turn, ...stopped })));
        record(execute("recordStopped", { agent, reason: effect.why === "idle" ? "idle" : "hub_stop" }));
        if (effect.why !== "idle") limit.clear();
        ports.cleanUp();
        return;
      }
      case "record_gone": {
        const { said } = turns.abandon();
        limit.clear();
        const [reason, why] = [effect.why === "killed" ? "killed" : "shutdown", closed] as const;
        const gone = () =>
          why === undefined
            ? execute("recordGone", { agent, reason, said })
            : execute("letGoPane", { agent, why });
        record(storeForSure(gone));
        ports.cleanUp();
        return;
      }
      case "show_limit": {
        const { words = "usage limit reached", until } = limit.current() ?? {};
        const shown = { agent, status: "limited" as const, evidence: quoteLine(words) };
        record(execute("recordPresence", { ...shown, ...(until === undefined ? {} : { until }) }));
        return;
      }
      case "status":
        record(execute("recordPresence", { agent, status: effect.status, evidence: effect.evidence }));
        return;
      case "arm":
        arm(effect.timer, effect.failures ?? 0);
        return;
      case "disarm":
        timers.get(effect.timer)?.();
        timers.delete(effect.timer);
        return;
      default:
        assertNever(effect);
    }
  }

  function backoff(failures: number): number {
    return limits.backoffMs[failures - 1] ?? limits.backoffMs.at(-1) ?? 0;
  }

  function arm(timer: TimerName, failures: number) {
    timers.get(timer)?.();
    const ms = {
      idle: limits.unloadAfterMs,
      offer: limits.takenWithinMs,
      cancel: limits.cancelWithinMs,
      backoff: backoff(failures),
      drain: limits.shutdownWithinMs,
    }[timer];
    // What is on the person's screen is not taken away because nobody wrote to it. It has times of its own for taking a
    // prompt (`tmux.*`), and what keeps it from that may be the person. One that is slow to be interrupted is not ended either.
    if (onScreen && (timer === "idle" || timer === "offer" || timer === "cancel")) return;
    const fire = () => {
      timers.delete(timer);
      take({ kind: "time_out", timer, waiting: isWaiting() });
    };
    timers.set(timer, after(ms, fire));
  }

  function start() {
    const giveUp = new AbortController();
    const done = run().catch(async (error: unknown) => {
      startError = error;
      // What it was at when the hub ended must not be left without an end, whatever becomes of the agent.
      await turns.settleLost().catch(onError);
      if (isOwn && machine.state.kind === "starting") return close(describeStartError(error));
      const isNew = () => !everReady && machine.state.kind === "starting";
      if (isNew() && (await ports.startOtherwise(error))) return;
      // It may have been told to end meanwhile.
      if (!isNew()) return take({ kind: "start_failed" });
      const { code, message } = asRefusal(error);
      record(storeForSure(() => execute("recordSpawnFailed", { agent, code, error: message })));
      take({ kind: "kill" });
    });

    async function run() {
      await ending;
      exit = undefined;
      screen = undefined;
      const launch = await ports.prepare();
      giveUp.signal.throwIfAborted();
      const started = await ports.runtime.start(launch, host, giveUp.signal);
      hosted = started;
      const atIt = await turns.regain(started);
      await execute("recordStarted", { agent, resumed: started.resumed });
      turns.started(started, everReady ? launch : undefined);
      everReady = true;
      take({ kind: "ready", waiting: isWaiting(), atIt });
    }
    return { done, abort: () => giveUp.abort() };
  }

  function close(why: string) {
    closed = why;
    take({ kind: "kill" });
  }

  function letGo(): HostedAgent | undefined {
    const running = hosted;
    hosted = undefined;
    return running;
  }

  async function end(graceMs: number) {
    // The one that is being ended: the next start waits for this.
    const begun = starting;
    starting = undefined;
    begun?.abort();
    await letGo()?.stop({ graceMs });
    if (begun === undefined) return;
    await begun.done;
    // One that came up all the same.
    await letGo()?.stop({ graceMs });
  }

  async function stop(graceMs: number) {
    const before = ending;
    ending = Promise.all([before, end(graceMs)]).then(() => undefined);
    await ending.catch(onError);
    take({ kind: "stopped", waiting: isWaiting() });
  }

  const host: AgentHost = {
    session: (id) => record(execute("recordSession", { agent, session: id })),
    screen(pane) {
      screen = pane;
    },
    output: turns.heard,
    permission(request) {
      if (machine.state.kind === "cancelling" && request.stands !== true) return Promise.resolve("cancelled");
      return permissions.ask(request, turns.current());
    },
    waiting(on) {
      if (on === undefined)
        take(isWaiting() ? { kind: "mail", attention: "queue" } : { kind: "screen_free" });
      else if (on.on === "draft" && isWaiting()) take({ kind: "screen_held", words: draftWords });
    },
    exited(how) {
      exit = how;
      hosted = undefined;
      if (isOwn) close(describeFailure("exited", { startError, exit, refusal: undefined, limits }));
      else take({ kind: "exited" });
    },
  };

  function look() {
    if (isWaiting()) take({ kind: "mail", attention: "queue" });
  }

  return {
    agent,
    state: () => machine.state.kind,
    tmux: () => (machine.state.kind === "starting" ? screen : hosted?.tmux?.()),
    mail(attention, isWoken = false) {
      if (isWoken) woken = true;
      if (isStill()) return; // It waits; an interrupt does not cut what it could not follow.
      if (onScreen && machine.state.kind === "offering") turns.mailCame();
      take({ kind: "mail", attention });
    },
    look,
    cut() {
      if (["offering", "busy"].includes(machine.state.kind)) take({ kind: "mail", attention: "interrupt" });
    },
    load: (ending) => take(ending ? { kind: "load", ending } : { kind: "load" }),
    limited(reached) {
      limit.hold(reached);
      take({ kind: "limited" });
    },
    retry: limit.lift,
    shutdown: (to, why) => take({ kind: "shutdown", to, why }),
    kill: () => take({ kind: "kill" }),
    hurry: () => take({ kind: "time_out", timer: "drain", waiting: false }),
    permissionAnswered: (id, option) => permissions.answered(id, option),
    recheck: async () => hosted?.recheck?.(),
    reaches: watch.reaches,
  };
}
