import type { z } from "zod";
import { heldRoutes } from "../../../contract/http/held.js";
import { pairRoutes } from "../../../contract/http/pairs.js";
import { addressNow } from "../../../hub/rules/address-of.js";
import { findKnown } from "../../../hub/rules/find-recipient.js";
import { type AgentId, HUMAN_ID } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { groupBy } from "../../../model/group-by.js";
import { MINUTES, type PairTraffic, silentPair } from "../../../views/traffic.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { countReasons, findHeld, type HeldDelivery, pairKey, viewHeld } from "../../shown/held-mail.js";
import type { BindRoute } from "../bind-route.js";

type PairView = z.input<typeof pairRoutes.list.response>["pairs"][number];

/** Over how many of the newest minutes a rate is the average. */
const RATE_MINUTES = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function bindPairRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, limits } = ports;

  bind(pairRoutes.list, async () => {
    const traffic = await ports.traffic.read();
    const held = groupBy(findHeld(traffic, ports), pairKey);
    const none = Array.from({ length: MINUTES }, () => 0);
    const silent = [...views.pausedPairs.all(), ...[...held.values()].flatMap(([one]) => one ?? [])];
    const pairs = new Map([
      ...silent.map(
        ({ from, to }) => [pairKey({ from, to }), { ...silentPair(from, to), minutes: none }] as const,
      ),
      ...traffic.map((pair) => [pairKey(pair), pair] as const),
    ]);
    return {
      pairs: [...pairs.values()]
        .map((pair) => view(pair, held.get(pairKey(pair)) ?? []))
        .sort((one, other) => compare(one.from, other.from) || compare(one.to, other.to)),
      unattended: {
        messages: views.conversations.unattendedSince(ports.now() - HOUR_MS),
        most: limits.conversation.unattended,
      },
    };
  });

  bind(heldRoutes.list, async ({ query }) => {
    const held = findHeld(await ports.traffic.read(), ports);
    return {
      held: held.slice(0, query.limit).flatMap((one) => viewHeld(one, ports)),
      total: held.length,
      reasons: countReasons(held),
    };
  });

  bind(pairRoutes.decide, async ({ caller, param, body }) => {
    const by = memberId(caller);
    const [from, to] = [findKnown(views, param("from"), by), findKnown(views, param("to"), by)];
    if (from.id === HUMAN_ID)
      throw new HubError("INVALID_INPUT", "from: the person's own messages are never held back");
    const decided = await ports.execute("decidePair", { by, from: from.id, to: to.id, action: body.action });
    return { from: nameOf(from.id), to: nameOf(to.id), ...decided };
  });

  function view(
    { from, to, minutes, last, ...newest }: PairTraffic,
    held: readonly HeldDelivery[],
  ): PairView {
    const now = ports.now();
    const lastHeld = held.at(-1);
    const stored =
      newest.message === null && lastHeld !== undefined ? views.messages.bySeq(lastHeld.seq) : undefined;
    const pair = views.pairs.get(from, to);
    const isQuiet = pair === undefined || now - pair.last >= limits.cooldown.resetMs;
    const recent = pair?.recent.filter((at) => now - at < MINUTE_MS).length;
    return {
      from: nameOf(from),
      to: nameOf(to),
      per_minute: average(minutes.slice(-RATE_MINUTES)),
      minutes: [...minutes],
      sent_last_minute: recent ?? minutes.at(-1) ?? 0,
      cap: from === HUMAN_ID || limits.cooldown.cap === 0 ? null : limits.cooldown.cap,
      level: isQuiet ? 0 : pair.level,
      next_ms: Math.max(0, (pair?.due ?? now) - now),
      paused: views.pausedPairs.has(from, to),
      held: held.length,
      held_for: countReasons(held),
      last: last === 0 ? null : new Date(last).toISOString(),
      message: newest.message ?? stored?.data.message.id ?? null,
      conversation: newest.conversation ?? lastHeld?.conversation ?? null,
    };
  }

  function nameOf(agent: AgentId): string {
    return addressNow(views, agent, agent, HUMAN_ID);
  }
}

function average(counts: readonly number[]): number {
  return Math.round((counts.reduce((sum, n) => sum + n, 0) / counts.length) * 10) / 10;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
