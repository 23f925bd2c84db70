import type { Listen } from "../journal/signal.js";
import type { AgentId } from "../model/agent.js";
import type { DeliveryRef } from "../model/delivery.js";
import type { HubEvent } from "../model/events.js";
import type { Message } from "../model/message.js";
import type { TightViews } from "../views/tight.js";
import type { AgentDriver } from "./driver.js";
import type { StateKind } from "./driver-model.js";
import type { After } from "./timers.js";

/*
 * Follows the journal and tells the drivers what concerns their agents. Mail for an agent that is idle is offered inside
 * the very commit that brings it, so that it is given to the agent after one sync to disk; everything else, and above all
 * what cuts a turn, waits until the commit is done.
 */

type DispatcherPorts = {
  drivers: ReadonlyMap<AgentId, AgentDriver>;
  views: TightViews;
  onApplied: Listen<readonly HubEvent[]>;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  reofferAfterMs: number;
  /** Starts a turn in the session of an agent that a person started, if it waits for that. */
  rouse: (agent: AgentId) => boolean;
};

/** More than an inbox holds. */
const ALL = 1_000_000;

export function startDispatcher(ports: DispatcherPorts): () => void {
  const { drivers, views } = ports;

  /** Whether it is to be handed over now: an open wait may have taken it in the same commit; it may be behind a held one. */
  function isWaiting(seq: number, agent: AgentId): boolean {
    const delivery = views.inbox.get(seq, agent);
    return delivery?.state === "accepted" && views.inbox.holdBefore(delivery) === undefined;
  }

  /** Whom a message was told when it was applied: its commit is no news to them, and an interrupt would cut itself. */
  const told = new Map<number, Set<AgentId>>();

  function applied(seq: number, message: Message) {
    // The number may be that of one that was rolled back.
    told.delete(seq);
    if (message.type === "request") return;
    for (const { agent, hold } of message.to) {
      const driver = hold === undefined ? drivers.get(agent) : undefined;
      if (driver?.state() !== "idle" || !isWaiting(seq, agent)) continue;
      told.set(seq, (told.get(seq) ?? new Set()).add(agent));
      driver.mail(message.attention);
    }
  }

  function committed(seq: number, message: Message) {
    const known = told.get(seq);
    told.delete(seq);
    const to = message.to.flatMap(({ agent, hold }) => (hold === undefined ? [agent] : []));
    if (message.type === "request") return wakeOne(seq, to);
    for (const agent of to) if (known?.has(agent) !== true) tell(agent, seq, message);
  }

  function tell(agent: AgentId, seq: number, message: Message) {
    const driver = drivers.get(agent);
    if (driver !== undefined && isWaiting(seq, agent)) driver.mail(message.attention);
  }

  /** A request is everybody's mail, but not everybody's turn: its nudge wakes the others. */
  function wakeOne(seq: number, agents: readonly AgentId[]) {
    const waiting = agents.filter((agent) => isWaiting(seq, agent));
    const inState = (state: StateKind) => waiting.find((agent) => drivers.get(agent)?.state() === state);
    const idle = inState("idle");
    if (idle !== undefined) return drivers.get(idle)?.mail("queue", true);
    if (waiting.some((agent) => ports.rouse(agent))) return;
    drivers.get(inState("dormant") ?? "")?.mail("queue", true);
  }

  /** What can be read once a held message is released: that one, and what waited behind it. */
  function freed(agent: AgentId, { seq, from }: DeliveryRef): number[] {
    return views.inbox.unreadFrom(agent, from, seq - 1, ALL).map((delivery) => delivery.seq);
  }

  /** As if it had come now: of a request, one of those it is for is woken. */
  function released(seq: number, agents: ReadonlySet<AgentId>) {
    const message = views.messages.bySeq(seq)?.data.message;
    if (message?.type === "request") wakeOne(seq, [...agents]);
    else if (message !== undefined) for (const agent of agents) tell(agent, seq, message);
  }

  function lookLater(agent: AgentId) {
    const driver = drivers.get(agent);
    if (driver !== undefined) ports.after(ports.reofferAfterMs + 1, driver.look);
  }

  const stopApplied = ports.onApplied((events) => {
    if (drivers.size === 0) return;
    for (const event of events) {
      if (event.type === "MessageAccepted") applied(event.seq, event.data.message);
    }
  });

  const stopCommitted = ports.onCommitted((events) => {
    const free = new Map<number, Set<AgentId>>();
    for (const event of events) {
      switch (event.type) {
        case "MessageAccepted":
          committed(event.seq, event.data.message);
          break;
        case "MessageReleased": {
          const { agent, delivery } = event.data;
          for (const seq of freed(agent, delivery)) free.set(seq, (free.get(seq) ?? new Set()).add(agent));
          break;
        }
        // Something may have waited behind it.
        case "MessageExpired":
        case "DeliveriesFailed":
          drivers.get(event.data.agent)?.look();
          break;
        // Read by the agent itself, or only pointed at: if it is not proved, it comes again.
        case "MessagesOffered":
          if (event.data.turn === undefined) lookLater(event.data.agent);
          break;
        case "MessagesInjected":
          if (event.data.pointer === true) lookLater(event.data.agent);
          break;
        case "PermissionAnswered":
          drivers.get(event.data.agent)?.permissionAnswered(event.data.permission, event.data.option);
          break;
        case "ShutdownRequested":
          drivers.get(event.data.agent)?.shutdown("gone", "shutdown");
          break;
        case "KillRequested":
        case "AgentDeregistered":
          drivers.get(event.data.agent)?.kill();
          break;
        default:
      }
    }
    // What came in the same commit was told above.
    const began = events[0]?.seq ?? 0;
    for (const [seq, agents] of free) if (seq < began) released(seq, agents);
  });

  return () => {
    stopApplied();
    stopCommitted();
  };
}
