import type { AgentId } from "../../model/agent.js";
import { type DeliveryRef, type FailReason, type ReturnReason, timesCut } from "../../model/delivery.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { fitTurn } from "../../model/fit-turn.js";
import { quoteLine } from "../../model/others-words.js";
import type { ContextUse, TurnId, TurnStop, TurnUsage, TurnWork } from "../../model/turn.js";
import { sinceBefore } from "../../model/usage.js";
import type { HubContext } from "../context.js";
import { bounce } from "./bounce.js";
import { deliveryRef } from "./delivery-ref.js";
import { offerHandoff } from "./offer-handoff.js";
import { spend } from "./spending.js";
import { isPaused } from "./stands-still.js";
import { statusChange } from "./status-change.js";
import { endTaskTurn, taskOfTurn } from "./task-turn.js";
import { tellLimited } from "./tell-limited.js";
import { tellParent } from "./tell-parent.js";
import { tellRefused } from "./tell-refused.js";
import { turnDeliveries } from "./turn-deliveries.js";

export type EndedTurn = {
  agent: AgentId;
  turn: TurnId;
  stop: TurnStop;
  /** All that it said. */
  text: string;
  /** What went wrong, in the agent's words, when it stopped by an error. */
  error?: string | undefined;
  /** Of one that stopped at its vendor's usage limit; `known`: it stopped there before, and that was told. */
  limit?: { until?: number | undefined; known: boolean } | undefined;
  /** What it was not let do without anybody being asked. */
  refused?: readonly string[] | undefined;
  usage?: TurnUsage | undefined;
  /** What the vendor told of the whole session. */
  sessionUsage?: TurnUsage | undefined;
  context?: ContextUse | undefined;
  work?: TurnWork | undefined;
  /** Of a cancelled turn: its prompt is in the session's history, so the agent has what it carried. */
  kept?: boolean | undefined;
};

/** Of a turn that was cut: what had been heard of it. */
export type Said = Pick<EndedTurn, "text" | "work">;

/** As often as the hub may end without warning in turns that carry a message: what is in it may be why. */
const CUT_MOST = 3;

/** What the end of a turn means for the mail that it carried; nothing when that turn has ended already. */
export function endTurn(context: HubContext, ended: EndedTurn): NewEvent[] {
  const { agent, turn, stop, error, sessionUsage } = ended;
  const mail = turnDeliveries(context.views, agent, turn);
  if (!mail.isOpen) return [];
  const means = consequences(context, ended, mail);
  const seqs = mail.all.map(({ seq }) => seq);
  const task = taskOfTurn(context.views, agent, seqs);
  const newest = context.views.messages.bySeq(seqs.at(-1) ?? 0)?.data.message;
  const usage = turnUsage(context, ended);
  const over = {
    agent,
    turn,
    stop,
    ...(error === undefined ? {} : { error }),
    ...fitTurn(ended.text, ended.work ?? {}, sizeOfIds(mail.all)),
    ...(usage === undefined ? {} : { usage }),
    ...(sessionUsage === undefined ? {} : { sessionUsage }),
    messages: mail.all.length,
    mail: mail.all.map(({ id }) => id),
    ms: Math.max(0, context.now - (context.views.turns.open(agent)?.started ?? context.now)),
    ...(task === undefined ? {} : { task: task.id }),
    ...(task?.step === undefined ? {} : { workflow: task.step.workflow }),
    ...(newest === undefined ? {} : { conversation: newest.conversation }),
  };
  return [
    ...means,
    newEvent("TurnEnded", agent, over),
    ...spend(context, over),
    ...endTaskTurn(context, { seqs, consequences: means, ...ended }),
    ...(stop === "error" ? tellOfError(context, agent, error) : []),
    ...tellRefused(context, agent, ended.refused ?? []),
    ...offerHandoff(context, agent, ended.context),
    ...(stop === "limited" ? limited(context, ended, mail.in("offered", "injected", "seen")) : []),
  ];
}

function sizeOfIds(deliveries: readonly DeliveryRef[]): number {
  return deliveries.reduce((bytes, { id }) => bytes + JSON.stringify(id).length + 1, 0);
}

/** Of what its vendor told of the whole session only what is new counts. */
function turnUsage({ views }: HubContext, { agent, usage, sessionUsage }: EndedTurn): TurnUsage | undefined {
  if (sessionUsage === undefined) return usage;
  return { ...usage, ...sinceBefore(sessionUsage, views.usage.toldOf(agent)) };
}

function limited(
  context: HubContext,
  { agent, error, limit }: EndedTurn,
  deliveries: readonly DeliveryRef[],
): NewEvent[] {
  const known = context.views.roster.byId(agent);
  if (known === undefined) return [];
  const words = quoteLine(error ?? "usage limit reached");
  const until = limit?.until;
  return [
    ...statusChange(context, {
      agent,
      status: "limited",
      evidence: words,
      ...(until === undefined ? {} : { until }),
    }),
    ...(limit?.known === true ? [] : tellLimited(context, known, { words, until, deliveries })),
  ];
}

/** An agent that cannot work says so to nobody: whoever spawned it would wait. */
function tellOfError(context: HubContext, agent: AgentId, error: string | undefined): NewEvent[] {
  const known = context.views.roster.byId(agent);
  const why = error === undefined ? "it did not say why" : `"${quoteLine(error)}"`;
  return known === undefined ? [] : tellParent(context, known, "ended a turn with an error", why);
}

function consequences(
  context: HubContext,
  { agent, turn, stop, error, kept }: EndedTurn,
  mail: ReturnType<typeof turnDeliveries>,
): NewEvent[] {
  const finish = (deliveries: readonly DeliveryRef[]) => {
    if (deliveries.length === 0) return [];
    const why = error === undefined ? {} : { error };
    const others = mail.all.length - 1;
    return [newEvent("MessagesFinished", agent, { agent, turn, stop, ...why, with: others, deliveries })];
  };
  const giveBack = (reason: ReturnReason, deliveries: readonly DeliveryRef[]) =>
    deliveries.length === 0 ? [] : [newEvent("MessagesReturned", agent, { agent, turn, reason, deliveries })];
  const fail = (reason: FailReason, why: string, deliveries: readonly DeliveryRef[]) => {
    if (deliveries.length === 0) return [];
    const failures = deliveries.map((delivery) => ({ agent, delivery }));
    return [
      newEvent("DeliveriesFailed", agent, { agent, reason, deliveries }),
      ...bounce(context, failures, why, "not finished"),
    ];
  };

  const cancelled = () => {
    const known = kept === true ? mail.in("injected", "seen") : mail.in("seen");
    const unknown = kept === true ? mail.in("offered") : mail.in("offered", "injected");
    return [...giveBack("interrupted", unknown), ...finish(known)];
  };
  const dead = () => [
    ...giveBack("died", mail.in("offered", "injected")),
    ...fail("died", "the agent died while it was at it", mail.in("seen")),
  ];

  switch (stop) {
    case "not_taken":
      return giveBack("not_taken", mail.notHandedOut());
    case "cancelled":
    case "died": {
      // Cut because it was paused: it goes on with all of it when it is resumed.
      if (isPaused(context.views, agent)) return giveBack("paused", mail.in("offered", "injected", "seen"));
      return stop === "died" ? dead() : cancelled();
    }
    case "limited":
      // Whatever it had seen of them it could not finish: they are given to it again.
      return giveBack("limited", mail.in("offered", "injected", "seen"));
    case "hub_restart": {
      // Nobody saw the turn end: the agent is asked again.
      const cut = mail.in("offered", "injected", "seen");
      const often = cut.filter(({ seq }) => {
        const steps = context.views.inbox.get(seq, agent)?.steps ?? [];
        return timesCut(steps) >= CUT_MOST - 1;
      });
      const again = cut.filter((delivery) => !often.includes(delivery));
      const why = `the hub itself ended without warning each of the ${CUT_MOST} times that the agent was at it`;
      return [...giveBack("hub_restart", again), ...fail("hub_restart", why, often)];
    }
    case "hub_stop":
      return giveBack("hub_stop", mail.in("offered", "injected", "seen"));
    default:
      return [...finish(mail.in("injected", "seen")), ...readMeanwhile(context, { agent, turn })];
  }
}

/** What it read by itself during a turn that came to its end was before the model when it ended. */
function readMeanwhile(
  { views }: HubContext,
  { agent, turn }: Pick<EndedTurn, "agent" | "turn">,
): NewEvent[] {
  const started = views.turns.open(agent)?.started ?? 0;
  const read = views.inbox.open(agent).filter(({ state, offeredAt, steps }) => {
    const route = steps.findLast((step) => step.state === "offered")?.route;
    return state === "offered" && (route === "inbox" || route === "wait") && (offeredAt ?? 0) > started;
  });
  if (read.length === 0) return [];
  const deliveries = read.map((delivery) => deliveryRef(views, delivery));
  return [newEvent("MessagesSeen", agent, { agent, evidence: "turn_end", turn, deliveries })];
}
