import type { Listen } from "../journal/signal.js";
import type { AgentId } from "../model/agent.js";
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

export type DispatcherPorts = {
  drivers: ReadonlyMap<AgentId, AgentDriver>;
  views: TightViews;
  onApplied: Listen<readonly HubEvent[]>;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  reofferAfterMs: number;
  /** Starts a turn in the session of an agent that a person started, if it waits for that. */
  rouse: (agent: AgentId) => boolean;
};

export function startDispatcher(ports: DispatcherPorts): () => void {
  const { drivers, views } = ports;

  /** Whether it is still to be handed over: an open wait may have taken it in the same commit. */
  const isWaiting = (seq: number, agent: AgentId) => views.inbox.get(seq, agent)?.state === "accepted";

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

  /** Of a request that is released, its number: one of those it is for is woken, as if it had come now. */
  function released(agent: AgentId, seq: number): number | undefined {
    const message = views.messages.bySeq(seq)?.data.message;
    if (message?.type === "request") return seq;
    if (message !== undefined) tell(agent, seq, message);
    return undefined;
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
    const requests = new Map<number, AgentId[]>();
    for (const event of events) {
      switch (event.type) {
        case "MessageAccepted":
          committed(event.seq, event.data.message);
          break;
        case "MessageReleased": {
          const request = released(event.data.agent, event.data.delivery.seq);
          if (request !== undefined)
            requests.set(request, [...(requests.get(request) ?? []), event.data.agent]);
          break;
        }
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
    for (const [seq, agents] of requests) wakeOne(seq, agents);
  });

  return () => {
    stopApplied();
    stopCommitted();
  };
}
