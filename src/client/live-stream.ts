import { type LiveFrame, type LiveOutputFrame, liveFrame, liveRoutes } from "../contract/http/live.js";
import { routePath } from "./call-route.js";
import type { OpenSocket } from "./frame-socket.js";
import { type Following, keepFollowing } from "./keep-following.js";
import { readFrames } from "./read-frames.js";

type LiveOptions = Following & {
  open: OpenSocket;
  /** Its address or id; `*`: all of them. */
  agent?: string;
};

/**
 * What agents say and do while they work. Nothing is made up for: after each `live` of `onState` a reader forgets the turns
 * that it has, and those still under way begin again, with all that they have by then.
 */
export async function* followLive(options: LiveOptions): AsyncGenerator<LiveOutputFrame, void, undefined> {
  const { open, agent = "*", signal } = options;
  const path = routePath(liveRoutes.live.path, {}, { agent });
  const frames = keepFollowing({
    ...options,
    connect: (silenceMs) => readFrames({ open, path, decode: decodeFrame, silenceMs, signal }),
    isReady: (one) => "type" in one && one.type === "ready",
  });
  for await (const one of frames) if (!("type" in one)) yield one;
}

/** A newer hub may tell more than this program knows of. */
function decodeFrame(value: unknown): LiveFrame | "skip" | undefined {
  const { data } = liveFrame.safeParse(value);
  if (data !== undefined) return data;
  return typeof value === "object" && value !== null ? "skip" : undefined;
}
