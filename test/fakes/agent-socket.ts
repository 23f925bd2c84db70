import { WebSocket } from "ws";
import { Refused } from "./event-streams.js";

/*
 * An agent's socket, driven frame by frame: a plain client of the tests' own, since the hub is what is tested.
 */

/** A frame of the hub, as it came. */
type SocketFrame = {
  n?: number | null;
  answer?: Record<string, unknown>;
  error?: string;
  code?: string;
  type?: string;
  reason?: string;
  mail?: { id: string; seq: number; from: string; content: string; repeated?: true }[];
} & Record<string, unknown>;

export type DrivenSocket = {
  frames: SocketFrame[];
  /** A frame of an object, or the text as it is. */
  send(frame: Record<string, unknown> | string): void;
  sendBinary(bytes: Buffer): void;
  /** Sends a frame under the next number, and resolves with the frame that answers it. */
  ask(op: string, fields?: Record<string, unknown>): Promise<SocketFrame>;
  /** Resolves once a frame fits, now or later. */
  until(fits: (frame: SocketFrame) => boolean): Promise<SocketFrame>;
  /** The contents of all mail so far. */
  contents(): string[];
  ended: Promise<{ code: number; reason: string }>;
  pause(): void;
  resume(): void;
  /** Without saying goodbye. */
  cut(): void;
};

type SocketOptions = { token?: string; query?: string; headers?: Record<string, string> };

/** Resolves once the hub said `ready`; rejects with the status when it refuses. */
export function openAgentSocket(url: string, options: SocketOptions): Promise<DrivenSocket> {
  const { token, query = "", headers = {} } = options;
  return new Promise((resolve, reject) => {
    const frames: SocketFrame[] = [];
    const looks = new Set<(frame: SocketFrame) => void>();
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/agent-socket${query}`, {
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      perMessageDeflate: false,
    });
    const ended = new Promise<{ code: number; reason: string }>((done) => {
      socket.on("close", (code, reason) => done({ code, reason: reason.toString() }));
    });
    let n = 0;
    const until: DrivenSocket["until"] = (fits) => {
      const earlier = frames.find(fits);
      if (earlier !== undefined) return Promise.resolve(earlier);
      return new Promise((found, lost) => {
        const look = (frame: SocketFrame) => {
          if (!fits(frame)) return;
          looks.delete(look);
          found(frame);
        };
        looks.add(look);
        void ended.then(({ code }) => lost(new Error(`closed with ${code} before such a frame came`)));
      });
    };
    const driven: DrivenSocket = {
      frames,
      send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
      sendBinary: (bytes) => socket.send(bytes),
      ask(op, fields = {}) {
        const own = ++n;
        const answer = until((frame) => frame.n === own);
        socket.send(JSON.stringify({ n: own, op, ...fields }));
        return answer;
      },
      until,
      contents: () => frames.flatMap(({ mail = [] }) => mail.map(({ content }) => content)),
      ended,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      cut: () => socket.terminate(),
    };
    socket.on("message", (data: Buffer) => {
      const frame = JSON.parse(data.toString("utf8")) as SocketFrame;
      frames.push(frame);
      for (const look of Array.from(looks)) look(frame);
      if (frame.type === "ready") resolve(driven);
    });
    socket.on("unexpected-response", (_, response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => reject(new Refused(response.statusCode ?? 0, text)));
    });
    socket.on("error", reject);
  });
}
