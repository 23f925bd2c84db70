import type { ExecuteCommand } from "../hub/deciders.js";
import { availableTo } from "../hub/rules/find-agent.js";
import type { Obligations } from "../hub/rules/obligations.js";
import { isOfferedBy } from "../hub/rules/turn-deliveries.js";
import type { AgentId } from "../model/agent.js";
import { type TakenEvidence, wasPausedAt } from "../model/delivery.js";
import { isBridged } from "../model/hosting.js";
import type { Message } from "../model/message.js";
import { runtimeTraits } from "../model/runtime-traits.js";
import type { TurnId } from "../model/turn.js";
import {
  type FollowedTurn,
  type HostedAgent,
  type Launch,
  type OutputPart,
  type Runtime,
  RuntimeError,
  type TurnEnd,
  type UsageLimit,
} from "../runtime/runtime.js";
import type { TightViews } from "../views/tight.js";
import { composePrompt } from "./compose-prompt.js";
import type { DriverInput, StateKind } from "./driver-model.js";
import type { EnvelopeStyle } from "./envelopes.js";
import { createKeptWaiting } from "./kept-waiting.js";
import type { LimitWatch } from "./limit-watch.js";
import type { LiveTurnKeeper } from "./live/live-turns.js";
import { type AbandonedTurn, sayAll } from "./live/say-all.js";
import type { TurnLog } from "./live/turn-log.js";
import { findLostTurn, rememberedMail } from "./lost-turn.js";
import { createReminder } from "./reminder.js";
import { createStoreForSure } from "./store-for-sure.js";
import type { After } from "./timers.js";

/** How prompts are written, and what they remind of. */
export type PromptOptions = {
  style: EnvelopeStyle;
  rosterInPrompt: boolean;
  newMark(): string;
  obligations: Obligations;
};

type TurnRunnerPorts = {
  agent: AgentId;
  runtime: Runtime;
  views: TightViews;
  execute: ExecuteCommand;
  newId: () => string;
  after: After;
  live: Pick<LiveTurnKeeper, "prepare">;
  /** Hub time. */
  now: () => number;
  limits: { stalledAfterMs: number; readyWithinMs: number; reofferAfterMs: number };
  prompts: PromptOptions;
  take: (input: DriverInput) => void;
  isWaiting: () => boolean;
  /** The vendor's usage limit that it stopped at before, if it ended no turn since. */
  limit: Pick<LimitWatch, "isKnown" | "hold" | "passed">;
  state: () => StateKind;
  onError: (error: unknown) => void;
};

type TurnRunner = {
  /** Journals a turn's mail as offered, and only then gives it to the agent. */
  offer(hosted: HostedAgent, how: { noted: boolean; continues: boolean }): Promise<void>;
  /** Mail came while a prompt is given to the agent. */
  mailCame(): void;
  recordTaken(): void;
  recordSeen(): void;
  /** The turn that is open, for whoever ends it otherwise; nothing more is heard of it. */
  abandon(): AbandonedTurn;
  /** The agent said or did something. */
  heard(part: OutputPart): void;
  current(): TurnId | null;
  /** Its process is there; `again`: what it was started from, when that was not for the first time. */
  started(hosted: HostedAgent, again: Launch | undefined): void;
  /** Finds the turn that the agent was in when the hub last ended; says whether it is there to be followed. If not, it was cut. */
  regain(hosted: HostedAgent): Promise<boolean>;
  follow(): Promise<void>;
  /** The turn that the agent was in when the hub last ended was cut: what it carried waits again. */
  settleLost(): Promise<void>;
};

/** `forgotten`: the agent's history has nothing of them. */
type Interrupted = { messages: readonly Message[]; forgotten: boolean };
const nothing: Interrupted = { messages: [], forgotten: false };

type OpenTurn = {
  id: TurnId;
  messages: readonly { seq: number; message: Message }[];
  pointer: boolean;
  taken: TakenEvidence | undefined;
  /** Why the runtime could not give it to the agent. */
  refusal: string | undefined;
  log: TurnLog;
};

const RETRY_MS = 1000;
const ROSTER_MOST = 50;
/** Whose senders are told that a pane is in the way, at a time. */
const WAITING_MOST = 200;

export function createTurnRunner(ports: TurnRunnerPorts): TurnRunner {
  const { agent, runtime, views, execute, take, onError } = ports;
  const traits = runtimeTraits[runtime.kind];
  let turn: OpenTurn | undefined;
  let newest: TurnId | undefined;
  let regained: FollowedTurn | undefined;
  let interrupted = nothing;
  /** What it was paused at, and has in the session that still runs. */
  let atIt: readonly number[] = [];
  /** The next prompt is the first of a session. */
  let isFirst = false;
  const reminder = createReminder({ agent, views, obligations: ports.prompts.obligations });
  let silence = () => {};
  let isSilent = false;
  const record = (done: Promise<unknown>) => void done.catch(onError);
  const storeForSure = createStoreForSure(ports.after);
  const keptWaiting = createKeptWaiting({
    ...ports,
    readyWithinMs: ports.limits.readyWithinMs,
    waiting: () =>
      views.inbox
        .waiting(agent, ports.now() - ports.limits.reofferAfterMs, 0, WAITING_MOST)
        .map(({ seq }) => seq),
  });

  function lookAgain() {
    if (ports.isWaiting()) take({ kind: "mail", attention: "queue" });
  }

  async function offer(hosted: HostedAgent, { noted, continues }: { noted: boolean; continues: boolean }) {
    const id = ports.newId();
    newest = id;
    const { route, takes } = traits;
    const remembered = [...rememberedMail(views, agent, hosted), ...atIt];
    const offered = await execute("offerTurn", {
      agent,
      turn: id,
      route,
      noted,
      continues,
      remembered,
    }).catch((error: unknown) => {
      onError(error);
      ports.after(RETRY_MS, lookAgain);
      return undefined;
    });
    if (offered === undefined) return take({ kind: "nothing_offered", waiting: false });
    if (offered.messages.length === 0) return take({ kind: "nothing_offered", waiting: ports.isWaiting() });
    const carried = offered.messages.map(({ seq }) => seq);
    const told = continues ? interrupted.messages : [];
    const reminded = reminder.isDue() ? await reminder.compose(carried, told).catch(onError) : undefined;
    if (ports.state() !== "offering" || newest !== id) {
      // Stopped meanwhile: the agent never gets it from this turn. The next one may have found nothing because of it.
      const back = { agent, turn: id, stop: "not_taken", text: "" } as const;
      record(storeForSure(() => execute("recordTurnEnded", back)).then(lookAgain));
      return;
    }
    if (!continues) interrupted = nothing;
    atIt = [];
    const { pointer, ...prompt } = composePrompt({
      turn: id,
      messages: offered.messages,
      more: offered.more,
      interrupted: interrupted.messages,
      forgotten: interrupted.forgotten,
      roster: isFirst && ports.prompts.rosterInPrompt ? others() : [],
      reminder: reminded ?? undefined,
      form: {
        style: ports.prompts.style,
        mark: ports.prompts.newMark(),
        tools: views.roster.byId(agent)?.tools ?? undefined,
      },
      hasTools: takes === "text" || hasTools(),
    });
    isFirst = false;
    const open: OpenTurn = {
      id,
      messages: offered.messages,
      pointer: pointer && takes === "line",
      taken: undefined,
      refusal: undefined,
      log: prepare(id, offered.messages),
    };
    turn = open;
    keptWaiting.offered(carried);
    await run(open, (listener) => hosted.prompt({ ...prompt, isRead: () => isRead(open) }, listener));
  }

  /** An open wait, or a tool call in a turn of the person's, was faster than the pane. */
  function isRead({ id, messages }: OpenTurn): boolean {
    return messages.every(({ seq }) => {
      const delivery = views.inbox.get(seq, agent);
      return delivery === undefined || !isOfferedBy(delivery, id);
    });
  }

  /** A pane that the person started has them by a bridge of its own. */
  function hasTools(): boolean {
    const known = views.roster.byId(agent);
    return known?.adopted === null || isBridged(known);
  }

  async function run(open: OpenTurn, begin: FollowedTurn) {
    const isOpen = () => turn === open;
    const listener = {
      taken(evidence: TakenEvidence) {
        if (!isOpen() || open.taken !== undefined) return;
        open.taken = evidence;
        reminder.taken();
        keptWaiting.clear();
        take({ kind: "taken" });
        listen();
      },
      responding() {
        if (isOpen()) take({ kind: "output" });
      },
      mixed(words: string) {
        if (isOpen()) record(execute("recordMixed", { agent, turn: open.id, words }));
      },
    };
    try {
      const end = await begin(listener);
      listener.taken(traits.evidence);
      if (isOpen()) await ended(open, end);
    } catch (error) {
      if (isOpen()) await refused(open, error);
    }
  }

  function prepare(id: TurnId, messages: OpenTurn["messages"], since?: number): TurnLog {
    return ports.live.prepare({
      agent,
      turn: id,
      messages: messages.map(({ message }) => message.id),
      since,
    });
  }

  function others(): string[] {
    return availableTo(views, agent, ROSTER_MOST).filter((name) => name !== views.roster.byId(agent)?.name);
  }

  async function ended(open: OpenTurn, { stop, error, limit, kept, refused: denied, ...told }: TurnEnd) {
    const said = sayAll(open.log.read(), told);
    if (limit !== undefined) return limited(open, limit, said);
    ports.limit.passed();
    await storeForSure(() =>
      execute("recordTurnEnded", { agent, turn: open.id, stop, error, kept, refused: denied, ...said }),
    );
    if (turn !== open) return;
    close();
    interrupted = cutBy(stop, open, kept);
    atIt = stop === "cancelled" && kept !== false ? pausedAt(open) : [];
    take({ kind: "ended", waiting: ports.isWaiting() });
  }

  /** What it was at waits, as all that comes: it is tried again when the limit is over. */
  async function limited(open: OpenTurn, limit: UsageLimit, said: ReturnType<typeof sayAll>) {
    const reached = { until: limit.until, known: ports.limit.isKnown() };
    const end = { stop: "limited" as const, error: limit.words, limit: reached, ...said };
    await storeForSure(() => execute("recordTurnEnded", { agent, turn: open.id, ...end }));
    if (turn !== open) return;
    close();
    interrupted = nothing;
    ports.limit.hold(limit);
    take({ kind: "limited" });
  }

  /** Of what waits again because it was paused, all that it had seen. */
  function pausedAt({ messages }: OpenTurn): number[] {
    return messages.flatMap(({ seq }) => {
      const { state, steps } = views.inbox.get(seq, agent) ?? { state: undefined, steps: [] };
      const offered = steps.findLastIndex((step) => step.state === "offered");
      const wasSeen = steps.slice(offered).some((step) => step.state === "seen");
      return state === "accepted" && wasSeen && wasPausedAt(steps) ? [seq] : [];
    });
  }

  /** Cut while it was at these: the next prompt says so. */
  function cutBy(stop: TurnEnd["stop"], { messages }: OpenTurn, kept: boolean | undefined): Interrupted {
    if (stop !== "cancelled") return nothing;
    const cut = messages
      .filter(({ seq }) => views.inbox.get(seq, agent)?.state === "finished")
      .map(({ message }) => message);
    const forgotten = kept === false;
    if (forgotten) reminder.forgotten();
    // With its prompt went what that prompt told of an earlier cut.
    return { messages: forgotten ? [...interrupted.messages, ...cut] : cut, forgotten };
  }

  async function refused(open: OpenTurn, error: unknown) {
    const code = error instanceof RuntimeError ? error.code : undefined;
    if (code === "AGENT_EXITED") return; // Its end is told by itself, and settles the turn.
    const text = error instanceof Error ? error.message : String(error);
    if (code === "NOT_TAKEN") {
      open.refusal = text;
      return take({ kind: "time_out", timer: "offer", waiting: ports.isWaiting() });
    }
    if (code === "HELD") {
      const wasRead = isRead(open);
      await storeForSure(() =>
        execute("recordTurnEnded", { agent, turn: open.id, stop: "not_taken", text: "" }),
      );
      if (turn !== open) return;
      close();
      if (wasRead) {
        keptWaiting.clear();
        return take({ kind: "nothing_offered", waiting: ports.isWaiting() });
      }
      if (error instanceof RuntimeError) keptWaiting.refused(error);
      return take({ kind: "held", words: text });
    }
    await ended(open, { stop: "error", text: "", error: text });
  }

  async function settleLost() {
    const lost = views.turns.open(agent);
    if (lost === undefined) return;
    await execute("recordTurnEnded", { agent, turn: lost.id, stop: "hub_restart", text: "" });
  }

  function close() {
    turn = undefined;
    silence();
    // The silence of this turn says nothing of the next.
    isSilent = false;
  }

  /** From now on it is expected to be heard of. */
  function listen() {
    silence();
    if (turn === undefined) return;
    if (isSilent) take({ kind: "output" });
    isSilent = false;
    silence = ports.after(ports.limits.stalledAfterMs, () => {
      isSilent = true;
      take({ kind: "silent" });
    });
  }

  return {
    offer,
    mailCame: keptWaiting.came,
    recordTaken() {
      if (turn?.taken === undefined) return;
      const { id, taken, pointer } = turn;
      record(execute("recordTaken", { agent, turn: id, evidence: taken, pointer }));
    },
    recordSeen() {
      if (turn !== undefined) record(execute("recordSeen", { agent, turn: turn.id }));
    },
    abandon() {
      const { id, taken, refusal, log } = turn ?? {};
      const left = { turn: id, taken: taken !== undefined, refusal, said: log?.read() };
      close();
      keptWaiting.clear();
      return left;
    },
    heard(part) {
      turn?.log.add(part);
      listen();
    },
    current: () => turn?.id ?? null,
    started(hosted, again) {
      atIt = [];
      isFirst = !hosted.resumed;
      reminder.started(hosted, again);
    },
    async regain(hosted) {
      const lost = await findLostTurn(views, agent, hosted);
      if (lost === undefined) {
        await settleLost();
        return false;
      }
      regained = lost.follow;
      const { id, messages, pointer, isTaken } = lost;
      const evidence = traits.evidence;
      const log = prepare(id, messages, views.turns.open(agent)?.started);
      turn = { id, messages, pointer, taken: evidence, refusal: undefined, log };
      if (!isTaken) await execute("recordTaken", { agent, turn: id, evidence, pointer });
      return true;
    },
    async follow() {
      const [open, begin] = [turn, regained];
      regained = undefined;
      if (open === undefined || begin === undefined) return;
      listen();
      await run(open, begin);
    },
    settleLost,
  };
}
