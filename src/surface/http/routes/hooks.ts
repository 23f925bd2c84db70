import { hookRoutes } from "../../../contract/http/hooks.js";
import { memberId } from "../../caller/auth.js";
import type { HubPorts } from "../../ports.js";
import { ackCursor, readCursor } from "../../shown/ack-cursor.js";
import type { BindRoute } from "../bind-route.js";

export function bindHookRoutes(bind: BindRoute, { execute, hooks, waits, limits, presence }: HubPorts): void {
  bind(hookRoutes.hand, async ({ caller, body, onHangUp }) => {
    const agent = memberId(caller);
    const seqs = (body.seen ?? []).flatMap(readCursor);
    if (seqs.length > 0) await execute("proveArrival", { agent, seqs, evidence: "hook" });

    const waitMs = Math.min((body.wait ?? 0) * 1000, limits.waitMaxMs);
    const giveUp = body.moment === "idle" ? waits.take(agent) : () => {};
    const leave = body.moment === "idle" && caller.kind === "agent" ? presence.enter(caller.agent) : () => {};
    const hangUp = new AbortController();
    const stay = onHangUp(() => hangUp.abort());
    try {
      const { text, messages, more, over } = await hooks.hand({
        agent,
        moment: body.moment,
        newOnly: body.new_only ?? false,
        pointer: body.pointer ?? false,
        after: body.after,
        waitMs,
        signal: hangUp.signal,
      });
      return {
        text: text ?? null,
        ack: messages.length === 0 ? null : ackCursor(messages.map(({ seq }) => seq)),
        messages: messages.map(({ id }) => id),
        more,
        over,
      };
    } finally {
      stay();
      leave();
      giveUp();
    }
  });
}
