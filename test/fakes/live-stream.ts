import { WebSocket } from "ws";
import { type LiveFrame, liveFrame } from "../../src/contract/http/live.js";
import { Refused } from "./event-streams.js";
import { PATIENCE_MS } from "./patience.js";

type Timed = { at: number; bytes: number; frame: LiveFrame };

/** Live output as it comes over a WebSocket, every frame held against the contract. */
export type LiveStream = {
  frames: Timed[];
  /** Resolves once a frame fits, now or later. */
  until(fits: (frame: LiveFrame) => boolean, timeoutMs?: number): Promise<LiveFrame>;
  /** What was said in a turn, put together as the contract says; fails where something would be written over. */
  textOf(turn: string): string;
  pause(): void;
  resume(): void;
  close(): void;
  ended: Promise<{ code: number; reason: string }>;
};

export function openLive(url: string, query: string, headers: Record<string, string>): Promise<LiveStream> {
  return new Promise((resolve, reject) => {
    const frames: Timed[] = [];
    const waiting = new Set<(frame: LiveFrame) => void>();
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/live${query}`, { headers });
    const ended = new Promise<{ code: number; reason: string }>((done) => {
      socket.on("close", (code, reason) => done({ code, reason: reason.toString() }));
    });
    socket.on("message", (data: Buffer) => {
      const frame = liveFrame.parse(JSON.parse(data.toString()));
      frames.push({ at: performance.now(), bytes: data.length, frame });
      for (const look of Array.from(waiting)) look(frame);
    });
    socket.on("unexpected-response", (_, response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += String(chunk);
      });
      response.on("end", () => reject(new Refused(response.statusCode ?? 0, text)));
    });
    socket.on("error", reject);
    socket.on("open", () =>
      resolve({
        frames,
        until(fits, timeoutMs = PATIENCE_MS) {
          const earlier = frames.find(({ frame }) => fits(frame));
          if (earlier !== undefined) return Promise.resolve(earlier.frame);
          return new Promise((found, fail) => {
            const look = (frame: LiveFrame) => {
              if (!fits(frame)) return;
              clearTimeout(timer);
              waiting.delete(look);
              found(frame);
            };
            const timer = setTimeout(() => {
              waiting.delete(look);
              fail(new Error(`no such frame among ${JSON.stringify(frames.slice(-5)).slice(0, 1000)}`));
            }, timeoutMs);
            waiting.add(look);
          });
        },
        textOf(turn) {
          let text = "";
          for (const { frame } of frames) {
            if (!("turn" in frame) || frame.turn !== turn) continue;
            if ("state" in frame && frame.state === "began") text = "";
            if (!("part" in frame) || frame.part.kind !== "text") continue;
            if (frame.part.offset < text.length)
              throw new Error(`offset ${frame.part.offset} of ${text.length}`);
            text = text.padEnd(frame.part.offset, "?") + frame.part.text;
          }
          return text;
        },
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        close: () => socket.terminate(),
        ended,
      }),
    );
  });
}
