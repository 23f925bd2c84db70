import type { HubEvent } from "../../model/events.js";
import type { Viewer } from "../../model/viewer.js";
import { asSeenBy } from "../../model/visibility.js";

/** Encoded once, however many readers get it. */
const encoded = new WeakMap<HubEvent, string>();

/** The event as a frame for this viewer, or undefined when it is not theirs to see. */
export function encodeFrame(event: HubEvent, viewer: Viewer): string | undefined {
  const seen = asSeenBy(event, viewer);
  if (seen === null) return undefined;
  const ready = encoded.get(seen);
  if (ready !== undefined) return ready;
  const frame = JSON.stringify({
    seq: seen.seq,
    at: new Date(seen.at).toISOString(),
    type: seen.type,
    sessionId: seen.subject,
    data: seen.data,
  });
  encoded.set(seen, frame);
  return frame;
}
