import type { OfferedMessage } from "../../hub/commands/offer-messages.js";
import { quoteMessage } from "../../model/message-body.js";
import { tagOf } from "../../model/message-tag.js";
import { quoteBlock } from "../../model/others-words.js";
import { shownFields } from "../../model/typed-message.js";
import { viewMessage } from "../shown/message-view.js";
import type { ToolCall } from "./tool.js";

/** A message as a model reads it: who wrote it and how far that can be trusted, what to answer, and nothing that it has no use for. */
export function viewMail(offered: OfferedMessage, { ports: { views }, me }: Pick<ToolCall, "ports" | "me">) {
  const { id, type, from, to, timestamp, context, reply_to, request_id, task_id, claimed_by, ...rest } =
    viewMessage(offered, views, me);
  return {
    id,
    type,
    from,
    to,
    content: quoteMessage({ ...offered.message, fromName: from }),
    timestamp,
    tag: tagOf(offered.message),
    source: rest.source,
    ...(rest.applet === undefined ? {} : { applet: rest.applet }),
    ...(rest.fromSession === undefined ? {} : { fromSession: rest.fromSession }),
    trust: rest.trust,
    ...(rest.notice === undefined ? {} : { notice: rest.notice }),
    ...(rest.attention === "queue" ? {} : { attention: rest.attention }),
    ...(context === undefined ? {} : { context: quoteBlock(context) }),
    ...(reply_to === undefined ? {} : { reply_to }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(task_id === undefined
      ? {}
      : { task_id, next: "a task: when it is done, answer with reply_to its id" }),
    ...(claimed_by === undefined ? {} : { claimed_by }),
    ...(offered.message.typed && shownFields(offered.message.typed)),
    ...(offered.repeated ? { repeated: true } : {}),
  };
}
