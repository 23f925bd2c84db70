import type { Offered } from "../hub/commands/offer-messages.js";
import type { ExecuteCommand } from "../hub/deciders.js";
import type { MailPump, MailTaker } from "../hub/mail-port.js";
import type { AgentId } from "../model/agent.js";
import type { HubEvent } from "../model/events.js";
import type { TightViews } from "../views/tight.js";
import { createWaker, type Mail } from "./waker.js";

/*
 * Handing out mail as it comes. Each agent whose mail is taken has a queue, which hands out in one of two ways:
 *
 *   by number   it knows every message that is unread and with nobody: what arrives is offered inside the very commit that
 *               brings it, without looking for it
 *   by reading  it may have missed some (a taker came or left, or there was no room): it reads the inbox, but for what is
 *               with a taker
 *
 * A message is with one taker until it is proved, or the taker leaves; then it is handed out again, to another or to the next.
 */

type Taker = MailTaker & { window: number; holds: number };

type Queue = {
  agent: AgentId;
  since: number;
  takers: Set<Taker>;
  /** By seq: with whom a message is. */
  held: Map<number, Taker>;
  /** Those that are being offered by number. */
  arriving: Set<number>;
  mustRead: boolean;
  isReading: boolean;
};

type PumpPorts = {
  views: TightViews;
  execute: ExecuteCommand;
  onApplied: (listener: (events: readonly HubEvent[]) => void) => () => void;
  onCommitted: (listener: (events: readonly HubEvent[]) => void) => () => void;
  wall: () => number;
};

export function createMailPump({ views, execute, onApplied, onCommitted, wall }: PumpPorts): MailPump {
  const queues = new Map<AgentId, Queue>();
  const waker = createWaker(views);

  onApplied((events) => {
    if (queues.size === 0) return;
    for (const mail of waker.freedBy(events, (agent) => queues.has(agent))) arrive(mail);
    for (const event of events) if (event.type === "AgentResumed") readAgain(queues.get(event.data.agent));
  });

  // Not before it is on disk: a batch that fails leaves the message with its taker.
  onCommitted((events) => {
    if (queues.size === 0) return;
    for (const event of events) for (const [agent, seq] of endedBy(event)) release(queues.get(agent), seq);
  });

  function arrive(mail: Mail) {
    const queue = queues.get(mail.agent);
    if (queue === undefined || waker.isBehind(mail)) return;
    if (queue.mustRead || queue.isReading || roomOf(queue) === 0) return readAgain(queue);
    const { agent, arriving } = queue;
    arriving.add(mail.seq);
    execute("offerMessages", { agent, route: "wait", only: [mail.seq] }).then(
      ({ messages }) => {
        arriving.delete(mail.seq);
        handOut(queue, messages);
      },
      (error: unknown) => {
        arriving.delete(mail.seq);
        fail(queue, error);
      },
    );
  }

  function readAgain(queue: Queue | undefined) {
    if (queue === undefined) return;
    queue.mustRead = true;
    read(queue);
  }

  function read(queue: Queue) {
    const limit = roomOf(queue);
    if (!queue.mustRead || queue.isReading || limit === 0) return;
    queue.isReading = true;
    queue.mustRead = false;
    const except = [...queue.held.keys(), ...queue.arriving];
    execute("offerMessages", { agent: queue.agent, route: "wait", limit, except }).then(
      ({ messages, more }) => {
        queue.isReading = false;
        queue.mustRead ||= more;
        handOut(queue, messages);
        read(queue);
      },
      (error: unknown) => {
        queue.isReading = false;
        fail(queue, error);
      },
    );
  }

  function fail(queue: Queue, error: unknown) {
    queue.mustRead = true;
    for (const taker of queue.takers) taker.fail(error);
  }

  function release(queue: Queue | undefined, seq: number) {
    const taker = queue?.held.get(seq);
    if (queue === undefined || taker === undefined) return;
    queue.held.delete(seq);
    taker.holds--;
    read(queue);
  }

  /** To those with most room. If they left meanwhile, it waits in the inbox. */
  function handOut(queue: Queue, messages: Offered["messages"]) {
    const given = new Map<Taker, Offered["messages"]>();
    for (const offered of messages) {
      const taker = roomiest(queue);
      if (taker === undefined) return;
      taker.holds++;
      queue.held.set(offered.seq, taker);
      const own = given.get(taker);
      if (own === undefined) given.set(taker, [offered]);
      else own.push(offered);
    }
    for (const [taker, own] of given) taker.take(own);
  }

  return {
    join(agent, taker) {
      const queue = queues.get(agent) ?? openQueue(agent, wall());
      queues.set(agent, queue);
      const own: Taker = { ...taker, window: 0, holds: 0 };
      queue.takers.add(own);
      return {
        setWindow(window) {
          own.window = window;
          readAgain(queue);
        },
        leave() {
          if (!queue.takers.delete(own)) return;
          for (const [seq, holder] of queue.held) if (holder === own) queue.held.delete(seq);
          if (queue.takers.size > 0) readAgain(queue);
          else if (queues.get(agent) === queue) queues.delete(agent);
        },
      };
    },
    takenSince: (agent) => queues.get(agent)?.since,
  };
}

function openQueue(agent: AgentId, since: number): Queue {
  return {
    agent,
    since,
    takers: new Set(),
    held: new Map(),
    arriving: new Set(),
    mustRead: true,
    isReading: false,
  };
}

function roomOf({ takers, arriving }: Queue): number {
  let room = -arriving.size;
  for (const { window, holds } of takers) room += Math.max(0, window - holds);
  return Math.max(0, room);
}

function roomiest({ takers }: Queue): Taker | undefined {
  let found: Taker | undefined;
  const roomIn = ({ window, holds }: Taker) => window - holds;
  for (const taker of takers) if (found === undefined || roomIn(taker) > roomIn(found)) found = taker;
  return found;
}

/** The deliveries that an event ends: nobody has them in hand any more. */
function* endedBy(event: HubEvent): Generator<[AgentId, number]> {
  switch (event.type) {
    case "MessagesSeen":
    case "MessagesFinished":
    case "DeliveriesFailed":
      for (const { seq } of event.data.deliveries) yield [event.data.agent, seq];
      break;
    case "MessageExpired":
      yield [event.data.agent, event.data.delivery.seq];
      break;
    default:
  }
}
