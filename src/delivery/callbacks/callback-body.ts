import type { StoredMessage } from "../../views/messages.js";

/** An answer as an `AgentMessage` of document 004. The same bytes at every try: whoever gets it twice knows it by its id. */
export function callbackBody({ at, data: { message } }: StoredMessage): string {
  return JSON.stringify({
    from: message.fromName,
    type: "text",
    text: message.content,
    ...(message.context === undefined ? {} : { context: message.context }),
    timestamp: new Date(at).toISOString(),
    messageId: message.id,
    replyTo: message.replyTo,
  });
}
