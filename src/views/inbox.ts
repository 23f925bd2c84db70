import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import type { AgentId } from "../model/agent.js";
import { type DeliveryState, deliveryStates, isOpen, MIXED, type Step, withStep } from "../model/delivery.js";
import type { ConversationId, HoldReason } from "../model/message.js";
import {
  type Delivery,
  fromRow,
  fromStored,
  type DeliveryRow as Row,
  type StoredDelivery as Stored,
  toState,
} from "./delivery-row.js";
import { createDeliveryStore } from "./delivery-store.js";
import { createShares } from "./shares.js";
import { createTally } from "./tally.js";

/** Where a delivery stands among those of its pair. */
type Place = Pick<Delivery, "seq" | "recipient" | "sender"> & { passes?: boolean };

/** The deliveries: an inbox is the open ones of one agent, a receipt all those of one message. */
export type Inbox = View & {
  /**
   * Accepted and offered ones, oldest first, from after `seq` on. What comes after a held one of the same sender waits
   * behind it: first sent, first handed out.
   */
  unread(agent: AgentId, after: number, limit: number): Delivery[];
  unreadFrom(agent: AgentId, sender: AgentId, after: number, limit: number): Delivery[];
  /** The same with what waits behind others, for a read that may overtake. */
  unreadInAnyOrder(agent: AgentId, after: number, limit: number): Delivery[];
  /** Why an earlier message of the same pair is held, if one is and this one waits behind it. */
  holdBefore(place: Place): HoldReason | undefined;
  /** Every delivery that has not ended, held ones too. */
  open(agent: AgentId): Delivery[];
  /**
   * What can start a turn, oldest first, from after `seq` on: neither held nor behind what is, nor `fyi`, and not handed out
   * after `offeredBefore` (hub time).
   */
  waiting(agent: AgentId, offeredBefore: number, after: number, limit: number): Delivery[];
  depth(agent: AgentId): number;
  /** The `seq` of the oldest delivery that has not ended. */
  oldest(agent: AgentId): number | undefined;
  /** How many of the open ones this sender sent. */
  share(agent: AgentId, sender: AgentId): number;
  get(seq: number, recipient: AgentId): Delivery | undefined;
  /** Everything that is held for this reason, oldest first, of one conversation or all. */
  heldFor(reason: HoldReason, conversation?: ConversationId): Delivery[];
  /** The oldest of these. */
  firstHeld(reason: HoldReason, conversation: ConversationId): Delivery | undefined;
  /** Everything that is held of one direction of a pair, oldest first. */
  heldOf(sender: AgentId, recipient: AgentId): Delivery[];
  /** Everything that is held, oldest first, whatever for. */
  allHeld(limit: number): Delivery[];
  heldCount(reason: HoldReason): number;
  totalOpen(): number;
  /** Messages with a delivery that has not ended, by `seq` between these, newest first. */
  openBetween(after: number, before: number, limit: number): number[];
};

const ACCEPTED = deliveryStates.indexOf("accepted");
const HELD = deliveryStates.indexOf("held");
/** Nothing that the same sender sent before it is held, or it does not wait for that. */
const isInFront = `(passes = 1 OR NOT EXISTS (SELECT 1 FROM delivery AS held
  WHERE held.recipient = delivery.recipient AND held.sender = delivery.sender AND held.seq < delivery.seq AND held.state = 2))`;

export function createInbox(db: Database): Inbox {
  const rows = createDeliveryStore(db);
  const { settle } = rows;
  const unread = db.prepare<[string, number, number], Stored>(
    `SELECT * FROM delivery WHERE recipient = ? AND seq > ? AND state <> 2 AND ${isInFront} ORDER BY seq LIMIT ?`,
  );
  const unreadFrom = db.prepare<[string, number, string, number], Stored>(
    `SELECT * FROM delivery WHERE recipient = ? AND seq > ? AND state <> 2 AND sender = ? AND ${isInFront}
       ORDER BY seq LIMIT ?`,
  );
  const inAnyOrder = db.prepare<[string, number, number], Stored>(
    "SELECT * FROM delivery WHERE recipient = ? AND seq > ? AND state <> 2 ORDER BY seq LIMIT ?",
  );
  const holdBefore = db.prepare<[string, string, number], { hold: HoldReason }>(
    "SELECT hold FROM delivery WHERE recipient = ? AND sender = ? AND seq < ? AND state = 2 ORDER BY seq LIMIT 1",
  );
  const open = db.prepare<[string], Stored>("SELECT * FROM delivery WHERE recipient = ? ORDER BY seq");
  const waiting = db.prepare<[string, number, number, number], Stored>(
    `SELECT * FROM delivery WHERE recipient = ? AND seq > ? AND conversation IS NOT NULL
       AND (state = 0 OR (state = 1 AND offered_at <= ?)) AND ${isInFront} ORDER BY seq LIMIT ?`,
  );
  const count = db.prepare<[string], { n: number }>("SELECT count(*) AS n FROM delivery WHERE recipient = ?");
  const countHeld = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM delivery WHERE recipient = ? AND state = 2",
  );
  const countFrom = db.prepare<[string, string], { n: number }>(
    "SELECT count(*) AS n FROM delivery WHERE recipient = ? AND sender = ?",
  );
  const countHeldFor = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM delivery WHERE state = 2 AND hold = ?",
  );
  const total = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM delivery");
  const openBetween = db
    .prepare<[number, number, number], number>(
      "SELECT DISTINCT seq FROM delivery WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?",
    )
    .pluck();
  const oldest = db.prepare<[], { seq: number | null }>("SELECT min(seq) AS seq FROM delivery");
  const oldestOf = db.prepare<[string], { seq: number | null }>(
    "SELECT min(seq) AS seq FROM delivery WHERE recipient = ?",
  );
  const held = db.prepare<[string], Stored>(
    "SELECT * FROM delivery WHERE state = 2 AND hold = ? ORDER BY seq",
  );
  const heldIn = db.prepare<[string, string], Stored>(
    "SELECT * FROM delivery WHERE state = 2 AND hold = ? AND conversation = ? ORDER BY seq",
  );
  const heldOf = db.prepare<[string, string], Stored>(
    "SELECT * FROM delivery WHERE recipient = ? AND sender = ? AND state = 2 ORDER BY seq",
  );
  const allHeld = db.prepare<[number], Stored>("SELECT * FROM delivery WHERE state = 2 ORDER BY seq LIMIT ?");
  // One call for the recipients of a broadcast: calling costs as much as storing.
  const insertMany = db.prepare(
    `INSERT INTO delivery (recipient, seq, sender, state, conversation, hop, passes)
       SELECT value, ?, ?, ${ACCEPTED}, ?, ?, ? FROM json_each(?)`,
  );
  // How many are open, and held, per inbox: asked at every send, so remembered rather than counted or stored.
  const depths = createTally((agent: AgentId) => count.get(agent)?.n ?? 0);
  const holds = createTally((agent: AgentId) => countHeld.get(agent)?.n ?? 0);
  const reasons = createTally((reason: HoldReason) => countHeldFor.get(reason)?.n ?? 0);
  const everywhere = createTally<"all">(() => total.get()?.n ?? 0);
  const shares = createShares((agent, sender) => {
    settle();
    return countFrom.get(agent, sender)?.n ?? 0;
  });

  /** All that can be read from its inbox, when that is only what came or changed in this batch. */
  function allPending(agent: AgentId): Row[] | undefined {
    const own = rows
      .kept()
      ?.filter(({ recipient, state }) => recipient === agent && isOpen(toState(state)))
      .sort((a, b) => a.seq - b.seq);
    return own?.length === depths.of(agent) && holds.of(agent) === 0 ? own : undefined;
  }

  /** Takes a delivery one step on; at its end it leaves the inbox. */
  function move(
    seq: number,
    recipient: AgentId,
    to: DeliveryState | "same",
    taken: Step,
    offeredAt?: number,
  ) {
    const row = rows.get(seq, recipient);
    if (row === undefined) return;
    const from = toState(row.state);
    const next = to === "same" ? from : to;
    const moved: Row = {
      ...row,
      state: deliveryStates.indexOf(next),
      attempt: taken.attempt ?? row.attempt,
      offered_at: offeredAt ?? row.offered_at,
      answered_by: taken.by ?? row.answered_by,
      steps: withStep(row.steps, taken),
    };
    if (from === "held" && next !== "held") {
      holds.add(recipient, -1);
      if (row.hold !== null) reasons.add(row.hold, -1);
    }
    if (isOpen(next) !== isOpen(from)) {
      const change = isOpen(next) ? 1 : -1;
      depths.add(recipient, change);
      everywhere.add("all", change);
      shares.add(recipient, row.sender, change);
    }
    rows.keep(moved, row);
  }

  return {
    tables: ["delivery", "delivery_ended"],
    // What a runtime took (3) may come back; what another hub took does not.
    ended: [{ table: "delivery_ended", where: "state <> 3 OR recipient IN (SELECT id FROM peer_agent)" }],
    oldestNeeded() {
      settle();
      return oldest.get()?.seq ?? undefined;
    },
    forget() {
      depths.clear();
      everywhere.clear();
      holds.clear();
      reasons.clear();
      shares.clear();
      rows.forget();
    },
    settle,
    folds: {
      MessageAccepted({ seq, data: { message } }) {
        // What asks for no turn causes nothing.
        const conversation = message.attention === "fyi" ? null : message.conversation;
        const passes = message.type === "shutdown" ? 1 : 0;
        const many: AgentId[] = [];
        for (const { agent, hold } of message.to) {
          depths.add(agent, 1);
          everywhere.add("all", 1);
          shares.add(agent, message.from, 1);
          if (hold !== undefined) {
            holds.add(agent, 1);
            reasons.add(hold.reason, 1);
          }
          if (message.to.length > 1 && hold === undefined) {
            many.push(agent);
            continue;
          }
          const row: Row = {
            recipient: agent,
            seq,
            sender: message.from,
            state: hold === undefined ? ACCEPTED : HELD,
            attempt: 0,
            offered_at: null,
            answered_by: null,
            steps: [],
            conversation,
            hop: message.hop,
            hold: hold?.reason ?? null,
            passes,
          };
          if (message.to.length > 1) rows.insert(row);
          else rows.keep(row);
        }
        if (many.length > 0) {
          insertMany.run(seq, message.from, conversation, message.hop, passes, JSON.stringify(many));
        }
      },
      MessagesOffered({ data, at, hubTime }) {
        const { route, turn } = data;
        for (const { seq, attempt, note } of data.deliveries) {
          const step: Step = { state: "offered", at, route, attempt };
          if (turn !== undefined) step.turn = turn;
          if (note !== undefined) step.reason = note;
          move(seq, data.agent, "offered", step, hubTime);
        }
      },
      MessagesInjected({ data, at }) {
        const step: Step = { state: "injected", at, evidence: data.evidence };
        if (data.turn !== undefined) step.turn = data.turn;
        // What is only pointed at stays in the inbox, for the agent to read.
        for (const { seq } of data.deliveries)
          move(seq, data.agent, data.pointer ? "same" : "injected", step);
      },
      MessagesSeen({ data, at }) {
        for (const { seq } of data.deliveries) {
          move(seq, data.agent, "seen", { state: "seen", at, evidence: data.evidence });
        }
      },
      MessagesFinished({ data, at }) {
        const { turn, stop, error } = data;
        // In the order that stored steps have.
        const begun: Step = turn === undefined ? { state: "finished", at } : { state: "finished", at, turn };
        const step: Step = { ...begun, stop, with: data.with };
        if (error !== undefined) step.reason = error;
        for (const { seq } of data.deliveries) move(seq, data.agent, "finished", step);
      },
      MessagesReturned({ data, at }) {
        for (const { seq } of data.deliveries) {
          move(seq, data.agent, "accepted", { state: "accepted", at, turn: data.turn, reason: data.reason });
        }
      },
      MessagesKeptWaiting({ data, at }) {
        for (const { seq } of data.deliveries)
          move(seq, data.agent, "same", { state: "held", at, reason: data.reason });
      },
      MessagesMixed({ data, at }) {
        for (const { seq } of data.deliveries)
          move(seq, data.agent, "same", { state: "injected", at, reason: MIXED, turn: data.turn });
      },
      MessageAnswered({ data, at }) {
        move(data.delivery.seq, data.agent, "same", { state: "answered", at, by: data.by });
      },
      MessageReleased({ data, at }) {
        move(data.delivery.seq, data.agent, "accepted", { state: "accepted", at, reason: "released" });
      },
      MessageExpired({ data, at }) {
        move(data.delivery.seq, data.agent, "expired", { state: "expired", at, reason: "not read in time" });
      },
      DeliveriesFailed({ data, at }) {
        for (const { seq } of data.deliveries) {
          move(seq, data.agent, "failed", { state: "failed", at, reason: data.reason });
        }
      },
    },
    unread(agent, after, limit) {
      const own = allPending(agent)?.filter(({ seq }) => seq > after);
      if (own !== undefined) return own.slice(0, limit).map(fromRow);
      settle();
      return (holds.of(agent) === 0 ? inAnyOrder : unread).all(agent, after, limit).map(fromStored);
    },
    unreadFrom(agent, sender, after, limit) {
      settle();
      return unreadFrom.all(agent, after, sender, limit).map(fromStored);
    },
    unreadInAnyOrder(agent, after, limit) {
      settle();
      return inAnyOrder.all(agent, after, limit).map(fromStored);
    },
    holdBefore({ recipient, sender, seq, passes }) {
      if (passes === true || holds.of(recipient) === 0) return undefined;
      settle();
      return holdBefore.get(recipient, sender, seq)?.hold;
    },
    open(agent) {
      if (depths.of(agent) === 0) return [];
      const own = allPending(agent);
      if (own !== undefined) return own.map(fromRow);
      settle();
      return open.all(agent).map(fromStored);
    },
    waiting(agent, offeredBefore, after, limit) {
      if (depths.of(agent) === 0) return [];
      settle();
      return waiting.all(agent, after, offeredBefore, limit).map(fromStored);
    },
    depth: depths.of,
    oldest(agent) {
      settle();
      return oldestOf.get(agent)?.seq ?? undefined;
    },
    share: shares.of,
    get(seq, recipient) {
      const row = rows.get(seq, recipient);
      return row && fromRow(row);
    },
    heldFor(reason, conversation) {
      settle();
      const rows = conversation === undefined ? held.all(reason) : heldIn.all(reason, conversation);
      return rows.map(fromStored);
    },
    firstHeld(reason, conversation) {
      settle();
      const row = heldIn.get(reason, conversation);
      return row && fromStored(row);
    },
    heldOf(sender, recipient) {
      if (holds.of(recipient) === 0) return [];
      settle();
      return heldOf.all(recipient, sender).map(fromStored);
    },
    allHeld(limit) {
      settle();
      return allHeld.all(limit).map(fromStored);
    },
    heldCount: reasons.of,
    totalOpen: () => everywhere.of("all"),
    openBetween(after, before, limit) {
      settle();
      return openBetween.all(after, before, limit);
    },
  };
}
