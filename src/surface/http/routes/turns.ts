import { turnRoutes } from "../../../contract/http/turns.js";
import { findAgent } from "../../../hub/rules/find-agent.js";
import type { Agent } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import type { EventOf } from "../../../model/events.js";
import { type Caller, memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { viewOpenTurn, viewTurn } from "../../shown/turn-view.js";
import type { BindRoute } from "../bind-route.js";

/** A page ends with the turn that makes it larger than this: each may have 256 KB. */
const PAGE_BYTES = 1024 * 1024;

export function bindTurnRoutes(bind: BindRoute, { views, hosting }: HubPorts): void {
  bind(turnRoutes.list, ({ caller, param, query }) => {
    const agent = whoseTurns(caller, param("name"));
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const open = query.before === undefined ? hosting.live.of(agent.id) : undefined;
    const found: EventOf<"TurnEnded">[] = [];
    let [bytes, place, isLast] = [0, before, false];
    while (!isLast && found.length < query.limit && bytes < PAGE_BYTES) {
      // One by one: the largest hundred together would not be read for nothing.
      const [event] = views.turns.history(agent.id, place, 1);
      isLast = event === undefined;
      if (event === undefined) break;
      found.push(event);
      place = event.seq;
      bytes += event.data.text.length + (event.data.thoughts?.length ?? 0);
    }
    const hasMore = !isLast && views.turns.history(agent.id, place, 1).length > 0;
    return {
      turns: [...(open === undefined ? [] : [viewOpenTurn(open)]), ...found.map(viewTurn)],
      next: hasMore ? String(place) : null,
    };
  });

  bind(turnRoutes.screen, async ({ caller, param }) => {
    const agent = findAgent(views, param("name"), memberId(caller));
    const screen = await hosting.screenOf(agent.id);
    if (screen !== undefined) return screen;
    const why =
      agent.runtime === "tmux"
        ? "has no pane open now; a message to it opens one"
        : agent.runtime === null
          ? "was started by you, outside of Huddle"
          : `runs by ${agent.runtime}, without a screen; GET /api/live shows what it does`;
    throw new HubError("NO_SCREEN", `"${agent.name}" ${why}`);
  });

  /** What an agent says in a turn may be about anybody's mail: only the person sees others' turns, and those of agents that left. */
  function whoseTurns(caller: Caller, name: string): Agent {
    const known = caller.kind === "operator" ? views.roster.byId(name.toLowerCase()) : undefined;
    const agent = known ?? findAgent(views, name, memberId(caller));
    if (caller.kind === "agent" && agent.id !== caller.agent.id) {
      throw new HubError("FORBIDDEN", "An agent sees its own turns only; others' are for the operator");
    }
    return agent;
  }
}
