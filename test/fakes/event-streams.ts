import { type IncomingMessage, request } from "node:http";
import { WebSocket } from "ws";
import { parseObject } from "./http-call.js";
import { PATIENCE_MS } from "./patience.js";

/** A frame of the event stream, as it came. */
type Frame = {
  seq: number;
  type: string;
  data?: Record<string, unknown>;
  reason?: string;
  first?: number;
};

export type EventStream = {
  /** All frames so far, control frames included. */
  frames: Frame[];
  /** Events only. */
  events(): Frame[];
  /** Resolves once a frame fits, now or later. */
  until(fits: (frame: Frame) => boolean, timeoutMs?: number): Promise<Frame>;
  ended: Promise<{ code: number; reason: string }>;
  /** Stops and resumes taking bytes from the socket. */
  pause(): void;
  resume(): void;
  close(): void;
};

const CONTROL = new Set(["ready", "ping", "dropped"]);

/** Opens the stream; rejects with the status when it is refused. */
export type OpenStream = (url: string, options: StreamOptions) => Promise<EventStream>;

type StreamOptions = {
  token?: string | undefined;
  query?: string;
  headers?: Record<string, string>;
};

export class Refused extends Error {
  readonly status: number;
  readonly code: unknown;
  constructor(status: number, text: string) {
    super(`refused with ${status}: ${text}`);
    this.status = status;
    this.code = parseObject(text)["code"];
  }
}

function createFrames() {
  const frames: Frame[] = [];
  const waiting = new Set<(frame: Frame) => void>();
  return {
    frames,
    take(frame: Frame) {
      frames.push(frame);
      for (const look of Array.from(waiting)) look(frame);
    },
    events: () => frames.filter(({ type }) => !CONTROL.has(type)),
    until(fits: (frame: Frame) => boolean, timeoutMs = PATIENCE_MS): Promise<Frame> {
      const earlier = frames.find(fits);
      if (earlier !== undefined) return Promise.resolve(earlier);
      return new Promise((resolve, reject) => {
        const look = (frame: Frame) => {
          if (!fits(frame)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(frame);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no such frame among ${JSON.stringify(frames.slice(-5)).slice(0, 1000)}`));
        }, timeoutMs);
        waiting.add(look);
      });
    },
  };
}

export const openWebSocket: OpenStream = (url, { token, query = "", headers = {} }) =>
  new Promise((resolve, reject) => {
    const { frames, take, events, until } = createFrames();
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/events${query}`, {
      headers: { ...authorization(token), ...headers },
    });
    const ended = new Promise<{ code: number; reason: string }>((done) => {
      socket.on("close", (code, reason) => done({ code, reason: reason.toString() }));
    });
    socket.on("message", (data: Buffer) => take(JSON.parse(data.toString()) as Frame));
    socket.on("unexpected-response", (_, response) => {
      void readAll(response).then((text) => reject(new Refused(response.statusCode ?? 0, text)));
    });
    socket.on("error", reject);
    socket.on("open", () =>
      resolve({
        frames,
        events,
        until,
        ended,
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        close: () => socket.terminate(),
      }),
    );
  });

export const openServerSentEvents: OpenStream = (url, { token, query = "", headers = {} }) =>
  new Promise((resolve, reject) => {
    const { frames, take, events, until } = createFrames();
    const sent = request(
      `${url}/api/events${query}`,
      { headers: { accept: "text/event-stream", ...authorization(token), ...headers }, agent: false },
      (response) => {
        if (response.statusCode !== 200) {
          void readAll(response).then((text) => reject(new Refused(response.statusCode ?? 0, text)));
          return;
        }
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const blocks = (text + chunk).split("\n\n");
          text = blocks.pop() ?? "";
          for (const block of blocks) take(readBlock(block));
        });
        response.on("error", () => {});
        const ended = new Promise<{ code: number; reason: string }>((done) => {
          response.on("close", () => done({ code: 0, reason: "" }));
        });
        resolve({
          frames,
          events,
          until,
          ended,
          pause: () => response.pause(),
          resume: () => response.resume(),
          close: () => sent.destroy(),
        });
      },
    );
    sent.on("error", reject);
    sent.end();
  });

/**
 * The `id` line must repeat the frame's own number: a browser resumes by it. Lines end with LF only: a regular expression
 * would also stop at U+2028, which JSON allows.
 */
function readBlock(block: string): Frame {
  const lines = block.split("\n");
  const read = (field: string) =>
    lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2);
  const frame = JSON.parse(read("data") ?? "null") as Frame;
  const id = read("id");
  if (id !== undefined && Number(id) !== frame.seq) throw new Error(`id ${id} on frame ${frame.seq}`);
  return frame;
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
