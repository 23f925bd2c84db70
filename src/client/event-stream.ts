import { z } from "zod";
import { controlFrame, eventFrame, hubRoutes } from "../contract/http/hub.js";
import { routePath } from "./call-route.js";
import type { OpenSocket } from "./frame-socket.js";
import { type Following, keepFollowing } from "./keep-following.js";
import { readFrames } from "./read-frames.js";

export type EventFrame = z.output<typeof eventFrame>;

export type FollowOptions = Following & {
  open: OpenSocket;
  after?: number | undefined;
  since?: string | undefined;
};

const frame = z.union([controlFrame, eventFrame]);

/** Every event after the given place, without a gap and without a repeat, across restarts of the hub. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<EventFrame, void, undefined> {
  const { open, since, signal } = options;
  let after = options.after;
  const frames = keepFollowing({
    ...options,
    connect(silenceMs) {
      const from = after !== undefined ? { after } : since === undefined ? {} : { since };
      const path = routePath(hubRoutes.events.path, {}, from);
      return readFrames({
        open,
        path,
        decode: (value) => frame.safeParse(value).data,
        silenceMs,
        signal,
      });
    },
    isReady: (one) => one.type === "ready" && !("at" in one),
  });
  for await (const one of frames) {
    if ("at" in one) {
      if (one.seq <= (after ?? 0)) continue;
      after = one.seq;
      yield one;
      // Without a place of our own we started at the newest: that is where to resume.
    } else if (one.type === "ready" && after === undefined && since === undefined) after = one.seq;
  }
}
