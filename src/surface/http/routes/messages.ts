import { messageRoutes } from "../../../contract/http/messages.js";
import { findKnown } from "../../../hub/rules/find-recipient.js";
import type { AgentId } from "../../../model/agent.js";
import { HubError } from "../../../model/errors.js";
import { readTyped } from "../../../model/read-typed.js";
import { memberId } from "../../caller/auth.js";
import { checkSender } from "../../caller/check-sender.js";
import type { HubPorts } from "../../ports.js";
import { reaching } from "../../reaching.js";
import { replyTarget } from "../../reply-target.js";
import { messageStatus } from "../../shown/message-status.js";
import { viewOffered } from "../../shown/message-view.js";
import { viewTmux } from "../../shown/tmux-view.js";
import type { BindRoute } from "../bind-route.js";

export function bindMessageRoutes(bind: BindRoute, ports: HubPorts): void {
  const { execute, views, inbox, limits } = ports;

  bind(
    messageRoutes.send,
    async ({ caller, param, body }) => {
      checkSender(caller, body.sender);
      const input = {
        from: memberId(caller),
        content: body.message,
        id: body.id,
        type: body.type,
        typed: readTyped(body),
        replyTo: await replyTarget(ports, { by: memberId(caller), named: body.reply_to, id: body.id }),
        attention: body.attention,
        usualAttention: limits.httpAttention,
        context: body.context,
        metadata: body.metadata,
        ifLimited: body.if_limited,
        callbackUrl: body.callbackUrl ?? body.callback_url,
        expiresInMs:
          body.expires_in_seconds === undefined ? undefined : Math.ceil(body.expires_in_seconds * 1000),
      };
      const receipt = await reaching(ports, param("name"), (to) => execute("sendMessage", { ...input, to }));
      return {
        delivered: true as const,
        target: receipt.target,
        message_id: receipt.messageId,
        seq: receipt.seq,
        state: receipt.state,
        ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
        delayed_ms: receipt.delayedMs,
        claimed: receipt.claimed,
        released: receipt.released,
        owner: receipt.owner,
        ...viewTmux(receipt.to, caller, ports),
      };
    },
    { delivered: false },
  );

  bind(
    messageRoutes.broadcast,
    async ({ caller, body }) => {
      checkSender(caller, body.sender);
      const { messageId, deliveredTo, failed } = await execute("broadcast", {
        from: memberId(caller),
        content: body.message,
        team: body.team,
        id: body.id,
        attention: body.attention,
        context: body.context,
        metadata: body.metadata,
        expiresInMs:
          body.expires_in_seconds === undefined ? undefined : Math.ceil(body.expires_in_seconds * 1000),
      });
      return { message_id: messageId, delivered_to: deliveredTo, failed };
    },
    { delivered_to: [], failed: [] },
  );

  bind(messageRoutes.status, ({ caller, param }) => messageStatus(param("id"), caller, ports));

  bind(messageRoutes.inbox, async ({ caller, query, onHangUp }) => {
    const from = query.from === undefined ? undefined : findKnown(views, query.from, memberId(caller)).id;
    const waitMs = Math.min((query.wait ?? 0) * 1000, limits.waitMaxMs);
    if (query.request_id !== undefined && views.requests.byId(query.request_id) === undefined) {
      throw new HubError("REQUEST_NOT_FOUND", `No request has the id "${query.request_id}"`);
    }
    const { request_id: requestId, after } = query;
    const read = { agent: memberId(caller), from, requestId, after, waitMs };
    if (waitMs === 0) return page(read.agent, await inbox.read(read));

    const giveUp = ports.waits.take(read.agent);
    const leave = caller.kind === "agent" ? ports.presence.enter(caller.agent) : () => {};
    const hangUp = new AbortController();
    const stay = onHangUp(() => hangUp.abort());
    try {
      return page(read.agent, await inbox.read({ ...read, signal: hangUp.signal }));
    } finally {
      stay();
      leave();
      giveUp();
    }
  });

  bind(messageRoutes.ack, ({ caller, body }) =>
    execute("acknowledge", { agent: memberId(caller), ids: body.ids }),
  );

  function page(reader: AgentId, { messages, more }: Awaited<ReturnType<HubPorts["inbox"]["read"]>>) {
    return {
      messages: messages.map((offered) => viewOffered(offered, views, reader)),
      more,
    };
  }
}
