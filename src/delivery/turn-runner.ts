import type { ExecuteCommand } from "../hub/deciders.js";
import { availableTo } from "../hub/rules/find-agent.js";
import type { AgentId } from "../model/agent.js";
import type { TakenEvidence } from "../model/delivery.js";
import type { Message } from "../model/message.js";
import { runtimeTraits } from "../model/runtime-traits.js";
import type { TurnId, TurnWork } from "../model/turn.js";
import {
  type HostedAgent,
  type OutputPart,
  type Runtime,
  RuntimeError,
  type TurnEnd,
  type UsageLimit,
} from "../runtime/runtime.js";
import type { TightViews } from "../views/tight.js";
import { composePrompt } from "./compose-prompt.js";
import type { DriverInput, StateKind } from "./driver-model.js";
import { bodyOf, type EnvelopeStyle } from "./envelopes.js";
import { createKeptWaiting } from "./kept-waiting.js";
import type { LimitWatch } from "./limit-watch.js";
import { createStoreForSure } from "./store-for-sure.js";
import type { After } from "./timers.js";
import { createWorkLog, type WorkLog } from "./turn-work.js";

/** How prompts are written. */
export type PromptOptions = { style: EnvelopeStyle; rosterInPrompt: boolean; newMark(): string };

type TurnRunnerPorts = {
  agent: AgentId;
  runtime: Runtime;
  views: TightViews;
  execute: ExecuteCommand;
  newId: () => string;
  after: After;
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
  abandon(): { turn: TurnId | undefined; taken: boolean; refusal: string | undefined };
  /** The agent said or did something. */
  heard(part: OutputPart): void;
  current(): TurnId | null;
  /** The next prompt is the first of a new session. */
  fresh(isFresh: boolean): void;
  /** Settles a turn that the hub's last end cut: what is in the replayed history was taken. */
  settleLost(replayed: string | undefined): Promise<void>;
};

type OpenTurn = {
  id: TurnId;
  messages: readonly { seq: number; message: Message }[];
  pointer: boolean;
  taken: TakenEvidence | undefined;
  /** Why the runtime could not give it to the agent. */
  refusal: string | undefined;
  work: WorkLog;
};

const RETRY_MS = 1000;
const ROSTER_MOST = 50;
/** Whose senders are told that a pane is in the way, at a time. */
const WAITING_MOST = 200;

export function createTurnRunner(ports: TurnRunnerPorts): TurnRunner {
  const { agent, runtime, views, execute, take, onError } = ports;
  const traits = runtimeTraits[runtime.kind];
  let turn: OpenTurn | undefined;
  let interrupted: Message[] = [];
  let isFirst = false;
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

  async function offer(hosted: HostedAgent, { noted, continues }: { noted: boolean; continues: boolean }) {
    const id = ports.newId();
    const { route, takes } = traits;
    const offered = await execute("offerTurn", { agent, turn: id, route, noted, continues }).catch(
      (error: unknown) => {
        onError(error);
        ports.after(RETRY_MS, () => {
          if (ports.isWaiting()) take({ kind: "mail", attention: "queue" });
        });
        return undefined;
      },
    );
    if (offered === undefined) return take({ kind: "nothing_offered", waiting: false });
    if (offered.messages.length === 0) return take({ kind: "nothing_offered", waiting: ports.isWaiting() });
    if (ports.state() !== "offering") {
      // Stopped meanwhile: the agent never gets it.
      record(
        storeForSure(() => execute("recordTurnEnded", { agent, turn: id, stop: "not_taken", text: "" })),
      );
      return;
    }
    const { pointer, ...prompt } = composePrompt({
      turn: id,
      messages: offered.messages,
      more: offered.more,
      interrupted: continues ? interrupted : [],
      roster: isFirst && ports.prompts.rosterInPrompt ? others() : [],
      form: {
        style: ports.prompts.style,
        mark: ports.prompts.newMark(),
        tools: views.roster.byId(agent)?.tools ?? undefined,
      },
    });
    interrupted = [];
    isFirst = false;
    const open: OpenTurn = {
      id,
      messages: offered.messages,
      pointer: pointer && takes === "line",
      taken: undefined,
      refusal: undefined,
      work: createWorkLog(),
    };
    turn = open;
    keptWaiting.offered(open.messages.map(({ seq }) => seq));
    const isOpen = () => turn === open;
    const listener = {
      taken(evidence: TakenEvidence) {
        if (!isOpen() || open.taken !== undefined) return;
        open.taken = evidence;
        keptWaiting.clear();
        take({ kind: "taken" });
        listen();
      },
      responding() {
        if (isOpen()) take({ kind: "output" });
      },
    };
    try {
      const end = await hosted.prompt(prompt, listener);
      listener.taken(traits.evidence);
      if (isOpen()) await ended(open, end);
    } catch (error) {
      if (isOpen()) await refused(open, error);
    }
  }

  function others(): string[] {
    return availableTo(views, agent, ROSTER_MOST).filter((name) => name !== views.roster.byId(agent)?.name);
  }

  async function ended(open: OpenTurn, { stop, text, error, usage, limit }: TurnEnd) {
    const work = open.work.read();
    if (limit !== undefined) return limited(open, limit, { text, usage, work });
    ports.limit.passed();
    await storeForSure(() =>
      execute("recordTurnEnded", { agent, turn: open.id, stop, text, error, usage, work }),
    );
    if (turn !== open) return;
    close();
    // Cut while it was at these: the next prompt says so.
    interrupted =
      stop !== "cancelled"
        ? []
        : open.messages
            .filter(({ seq }) => views.inbox.get(seq, agent)?.state === "finished")
            .map(({ message }) => message);
    take({ kind: "ended", waiting: ports.isWaiting() });
  }

  /** What it was at waits, as all that comes: it is tried again when the limit is over. */
  async function limited(
    open: OpenTurn,
    limit: UsageLimit,
    said: { text: string; usage: TurnEnd["usage"]; work: TurnWork },
  ) {
    const reached = { until: limit.until, known: ports.limit.isKnown() };
    const end = { stop: "limited" as const, error: limit.words, limit: reached, ...said };
    await storeForSure(() => execute("recordTurnEnded", { agent, turn: open.id, ...end }));
    if (turn !== open) return;
    close();
    interrupted = [];
    ports.limit.hold(limit);
    take({ kind: "limited" });
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
      await storeForSure(() =>
        execute("recordTurnEnded", { agent, turn: open.id, stop: "not_taken", text: "" }),
      );
      if (turn !== open) return;
      close();
      if (error instanceof RuntimeError) keptWaiting.refused(error);
      return take({ kind: "held", words: text });
    }
    await ended(open, { stop: "error", text: "", error: text });
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
      const left = { turn: turn?.id, taken: turn?.taken !== undefined, refusal: turn?.refusal };
      close();
      keptWaiting.clear();
      return left;
    },
    heard(part) {
      turn?.work.add(part);
      listen();
    },
    current: () => turn?.id ?? null,
    fresh(isFresh) {
      isFirst = isFresh;
    },
    async settleLost(replayed) {
      const lost = views.turns.open(agent);
      if (lost === undefined) return;
      const remembered = lost.deliveries.filter((seq) => {
        const message = views.messages.bySeq(seq)?.data.message;
        return message !== undefined && replayed !== undefined && isIn(replayed, message);
      });
      await execute("recordTurnEnded", { agent, turn: lost.id, stop: "hub_restart", text: "", remembered });
    },
  };
}

/** Short words may stand there from before: taken for this message they would lose it, given again they do no harm. */
const TELLING = 40;

/** Vendors keep the words and not always the white space. */
function isIn(replayed: string, message: Message): boolean {
  const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();
  const body = squeeze(bodyOf(message));
  return body.length >= TELLING && squeeze(replayed).includes(body);
}
