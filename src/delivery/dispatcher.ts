import type { Listen } from "../journal/signal.js";
import type { AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import type { Message } from "../model/message.js";
import type { TightViews } from "../views/tight.js";
import type { AgentDriver } from "./driver.js";
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
};

export function startDispatcher(ports: DispatcherPorts): () => void {
  const { drivers, views } = ports;

  /** Whether it is still to be handed over: an open wait may have taken it in the same commit. */
  const isWaiting = (seq: number, agent: AgentId) => views.inbox.get(seq, agent)?.state === "accepted";

  function accepted(seq: number, message: Message, how: "applied" | "committed") {
    const to = message.to.filter(({ agent, hold }) => hold === undefined && drivers.has(agent));
    if (to.length === 0) return;
    if (message.type === "request") {
      if (how === "committed")
        wakeOne(
          seq,
          to.map(({ agent }) => agent),
        );
      return;
    }
    for (const { agent } of to) tell(agent, seq, message, how);
  }

  function tell(agent: AgentId, seq: number, message: Message, how: "applied" | "committed") {
    const driver = drivers.get(agent);
    if (driver === undefined || !isWaiting(seq, agent)) return;
    if (how === "applied" && driver.state() !== "idle") return;
    driver.mail(message.attention);
  }

  /** A request is everybody's mail, but not everybody's turn: its nudge wakes the others. */
  function wakeOne(seq: number, agents: readonly AgentId[]) {
    const waiting = agents.filter((agent) => isWaiting(seq, agent));
    const one =
      waiting.find((agent) => drivers.get(agent)?.state() === "idle") ??
      waiting.find((agent) => drivers.get(agent)?.state() === "dormant");
    if (one !== undefined) drivers.get(one)?.mail("queue", true);
  }

  function released(agent: AgentId, seq: number) {
    const message = drivers.has(agent) ? views.messages.bySeq(seq)?.data.message : undefined;
    if (message !== undefined) tell(agent, seq, message, "committed");
  }

  function lookLater(agent: AgentId) {
    const driver = drivers.get(agent);
    if (driver !== undefined) ports.after(ports.reofferAfterMs + 1, driver.look);
  }

  const stopApplied = ports.onApplied((events) => {
    if (drivers.size === 0) return;
    for (const event of events) {
      if (event.type === "MessageAccepted") accepted(event.seq, event.data.message, "applied");
    }
  });

  const stopCommitted = ports.onCommitted((events) => {
    if (drivers.size === 0) return;
    for (const event of events) {
      switch (event.type) {
        case "MessageAccepted":
          accepted(event.seq, event.data.message, "committed");
          break;
        case "MessageReleased":
          released(event.data.agent, event.data.delivery.seq);
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
  });

  return () => {
    stopApplied();
    stopCommitted();
  };
}
