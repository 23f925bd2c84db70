import { conversationRoutes } from "../../../contract/http/conversations.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

const MOST = 200;

export function bindConversationRoutes(bind: BindRoute, { views, execute }: HubPorts): void {
  bind(conversationRoutes.list, ({ query }) => ({
    conversations: views.conversations
      .withState(query.state, MOST)
      .map(({ id, state, messages, hop }) => ({ id, state, messages, hop })),
  }));

  bind(conversationRoutes.decide, ({ param, body }) =>
    execute("decideConversation", { conversation: param("id"), decision: body.decision }),
  );
}
