import type { Listen } from "../journal/signal.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import type { EventOf, HubEvent } from "../model/events.js";
import { isBridged } from "../model/hosting.js";
import type { Message } from "../model/message.js";
import type { TightViews } from "../views/tight.js";
import type { AgentDriver } from "./driver.js";
import type { StateKind } from "./driver-model.js";
import type { After } from "./timers.js";
import { createWaker, type Mail } from "./waker.js";

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

export function startDispatcher(ports: DispatcherPorts): () => void {
  const { drivers, views } = ports;
  const waker = createWaker(views);

  /** Whom a message was told when it was applied: its commit is no news to them, and an interrupt would cut itself. */
  const told = new Map<number, Set<AgentId>>();
  const isIdle = (agent: AgentId) => drivers.get(agent)?.state() === "idle";

  function applied(event: EventOf<"MessageAccepted">) {
    const { seq, data } = event;
    // The number may be that of one that was rolled back.
    told.delete(seq);
    if (data.message.type === "request") return;
    for (const mail of waker.freedBy([event], isIdle)) {
      if (!waker.isWaiting(mail)) continue;
      told.set(seq, (told.get(seq) ?? new Set()).add(mail.agent));
      drivers.get(mail.agent)?.mail(mail.message.attention);
    }
  }

  /** A request is everybody's mail, but not everybody's turn: its nudge wakes the others. */
  function wakeOne(seq: number, agents: readonly AgentId[]) {
    // One at its vendor's usage limit could not begin, also one without a process.
    const isLimited = (agent: AgentId) => views.roster.byId(agent)?.status === "limited";
    const waiting = agents.filter((agent) => waker.isWaiting({ agent, seq }) && !isLimited(agent));
    const inState = (state: StateKind) => waiting.find((agent) => drivers.get(agent)?.state() === state);
    const idle = inState("idle");
    if (idle !== undefined) return drivers.get(idle)?.mail("queue", true);
    if (waiting.some((agent) => ports.rouse(agent))) return;
    drivers.get(inState("dormant") ?? "")?.mail("queue", true);
  }

  /** What the person will not have wait is tried although the agent is limited. */
  function tell(agent: AgentId, { from, attention }: Message) {
    const driver = drivers.get(agent);
    if (from === HUMAN_ID && attention === "interrupt" && driver?.retry() === true) return;
    driver?.mail(attention);
  }

  /** Each is told of a message once, whatever in a commit brought or freed it. */
  function tellOf(mails: readonly Mail[]) {
    const requests = new Map<number, AgentId[]>();
    for (const { agent, seq, message } of mails) {
      if (message.type === "request") {
        const agents = requests.get(seq) ?? [];
        agents.push(agent);
        requests.set(seq, agents);
      } else if (told.get(seq)?.has(agent) !== true && waker.isWaiting({ agent, seq })) {
        told.set(seq, (told.get(seq) ?? new Set()).add(agent));
        tell(agent, message);
      }
    }
    for (const [seq, agents] of requests) wakeOne(seq, agents);
    for (const { seq } of mails) told.delete(seq);
  }

  /** A request, and what is freed, may be for an agent that a person started: it is roused. */
  const concerns = (agent: AgentId, arrived: Message | undefined) =>
    arrived === undefined || arrived.type === "request" || drivers.has(agent);

  function lookLater(agent: AgentId) {
    const driver = drivers.get(agent);
    if (driver !== undefined) ports.after(ports.reofferAfterMs + 1, driver.look);
  }

  /** Nobody wants it any more, and its agent is at it. */
  function cutTask({ task, agent, state }: EventOf<"TaskEnded">["data"]) {
    const message = views.tasks.byId(task)?.message ?? null;
    const isAtIt = message !== null && views.turns.open(agent)?.deliveries.includes(message) === true;
    if (state !== "done" && isAtIt) drivers.get(agent)?.cut();
  }

  const stopApplied = ports.onApplied((events) => {
    if (drivers.size === 0) return;
    for (const event of events) {
      if (event.type === "MessageAccepted") applied(event);
    }
  });

  const stopCommitted = ports.onCommitted((events) => {
    tellOf([...waker.freedBy(events, concerns)]);
    for (const { seq } of events) told.delete(seq);
    for (const event of events) {
      switch (event.type) {
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
          if (!isBridged(views.roster.byId(event.data.agent)))
            drivers.get(event.data.agent)?.shutdown("gone", "shutdown");
          break;
        case "TaskEnded":
          cutTask(event.data);
          break;
        case "AgentPaused":
          if (event.data.now === true) drivers.get(event.data.agent)?.cut();
          break;
        // What waited while it stood still.
        case "AgentResumed":
          drivers.get(event.data.agent)?.look();
          break;
        case "BudgetDecided":
          if (event.data.decision !== "stop") drivers.get(event.data.key)?.look();
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
