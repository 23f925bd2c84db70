import type { z } from "zod";
import { conversationRoutes } from "../../../contract/http/conversations.js";
import { groupBy } from "../../../model/group-by.js";
import type { ActiveConversation } from "../../../views/conversation-activity.js";
import type { Conversation } from "../../../views/conversations.js";
import type { HubPorts } from "../../ports.js";
import { describeConversation, messagesOf } from "../../shown/conversation-facts.js";
import type { BindRoute } from "../bind-route.js";

type ConversationView = z.input<typeof conversationRoutes.list.response>["conversations"][number];

/** So much mail that waits is looked through for that of each. */
const MOST_HELD = 5000;

export function bindConversationRoutes(bind: BindRoute, ports: HubPorts): void {
  const { views, execute } = ports;

  bind(conversationRoutes.list, async ({ query: { state, id, limit } }) => {
    const active = await ports.traffic.conversations();
    const activeById = new Map(active.map((one) => [one.id, one]));
    const listed =
      id !== undefined
        ? [views.conversations.get(id)].filter((one) => one !== undefined)
        : state === "open"
          ? openOf(active, limit)
          : views.conversations.withState(state, limit);
    const held = groupBy(views.inbox.allHeld(MOST_HELD), ({ conversation }) => conversation);
    return {
      conversations: listed.map((one) => view(one, activeById.get(one.id), held.get(one.id) ?? [])),
    };
  });

  bind(conversationRoutes.decide, ({ param, body }) =>
    execute("decideConversation", { conversation: param("id"), decision: body.decision }),
  );

  /** Those in which nobody has answered yet are not counted as conversations. */
  function openOf(active: readonly ActiveConversation[], limit: number): Conversation[] {
    const open: Conversation[] = [];
    for (const { id } of active) {
      if (open.length === limit) break;
      const known = views.conversations.get(id);
      if (known?.state === "open") open.push(known);
    }
    return open;
  }

  function view(
    conversation: Conversation,
    active: ActiveConversation | undefined,
    held: readonly { seq: number }[],
  ): ConversationView {
    const { id, state, hop } = conversation;
    const known = {
      held: messagesOf(held, ports),
      newest: active === undefined ? undefined : views.messages.bySeq(active.last),
      agents: active?.participants ?? [],
    };
    return { id, state, hop, ...describeConversation(conversation, known, ports) };
  }
}
