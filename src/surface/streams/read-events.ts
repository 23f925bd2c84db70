import { setImmediate as nextTurn } from "node:timers/promises";
import type { z } from "zod";
import type { eventsFields } from "../../contract/socket/frames.js";
import type { HubEvent } from "../../model/events.js";
import { type Caller, memberId, viewerOf } from "../caller/auth.js";
import type { OnHangUp } from "../operations.js";
import type { HubPorts } from "../ports.js";
import { encodeFrame } from "./frames.js";
import { streamStart } from "./stream-start.js";

const PAGE = 200;
const PAGE_BYTES = 256 * 1024;

/**
 * A page of the events that a caller may see, as JSON, each of them encoded once for all readers. What others see is passed
 * over; `after` says how far this came.
 */
export async function readEvents(
  ports: HubPorts,
  caller: Caller,
  { limit, wait = 0, ...place }: z.output<typeof eventsFields>,
  onHangUp: OnHangUp,
): Promise<string> {
  const viewer = viewerOf(caller);
  const frames: string[] = [];
  let after = streamStart(ports, place);
  /** Whether it may go on: there is nothing yet. */
  const take = (events: readonly HubEvent[]): boolean => {
    for (const event of events) {
      if (frames.length === limit) break;
      const frame = encodeFrame(event, viewer);
      if (frame !== undefined) frames.push(frame);
      after = event.seq;
    }
    return frames.length === 0;
  };

  for (;;) {
    const page = ports.pageAfter(after, PAGE, PAGE_BYTES);
    if (page.length > 0 && take(page)) await nextTurn();
    else break;
  }
  const waitMs = Math.min(wait * 1000, ports.limits.waitMaxMs);
  if (frames.length === 0 && waitMs > 0) {
    const giveUp = ports.waits.take(memberId(caller));
    await awaitEvents(ports, { after, waitMs, onHangUp, take }).finally(giveUp);
  }
  return `{"events":[${frames.join()}],"after":${after},"first":${ports.firstSeq()}}`;
}

type Awaited = {
  after: number;
  waitMs: number;
  onHangUp: OnHangUp;
  take: (events: readonly HubEvent[]) => boolean;
};

/** Until something was taken, the time is up, or nobody listens any more. */
function awaitEvents({ feed }: HubPorts, { after, waitMs, onHangUp, take }: Awaited): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      stay();
      reader.close();
      end();
    };
    const timer = setTimeout(() => settle(resolve), waitMs);
    const stay = onHangUp(() => settle(resolve));
    const reader = feed.read({
      after,
      deliver(events) {
        const goesOn = take(events);
        if (!goesOn) settle(resolve);
        return goesOn;
      },
      onFailure: (error) => settle(() => reject(error instanceof Error ? error : new Error(String(error)))),
    });
  });
}
