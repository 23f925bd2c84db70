import { HUB_ID } from "./agent.js";
import { noticeKinds } from "./message.js";

/**
 * Of a message as version 1 stored it: what the hub told by it stood in the metadata, where senders write as well. It counts
 * only where no sender can have written it: in what the hub sent itself, and in the notice of a claim, which names a
 * request without replying to it.
 */
export function liftNotice(data: unknown): unknown {
  if (!isRecord(data) || !isRecord(data["message"])) return data;
  const { message } = data;
  const byHub = message["from"] === HUB_ID;
  const ofClaim = message["requestId"] !== undefined && message["replyTo"] === undefined;
  if ((!byHub && !ofClaim) || !isRecord(message["metadata"])) return data;
  const { metadata } = message;
  const notice = noticeKinds.find((kind) => metadata["notice"] === kind || (byHub && kind in metadata));
  return notice === undefined ? data : { ...data, message: { ...message, notice } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
