import http from "node:http";
import https from "node:https";
import { HubError } from "../model/errors.js";
import type { Transport, WireAnswer, WireRequest } from "./transport.js";

/** Over node:http with kept-alive connections: `fetch` takes three times as long per request. */
export function httpTransport(options: { url: string; token?: string | undefined }): Transport {
  const base = new URL(options.url);
  const scheme = base.protocol === "https:" ? https : http;
  const agent = new scheme.Agent({ keepAlive: true });
  const prefix = base.pathname.replace(/\/+$/, "");
  const authorization = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };

  function once(wire: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      wire.signal?.throwIfAborted();
      const request = scheme.request(base, {
        agent,
        method: wire.method,
        path: prefix + wire.path,
        headers: {
          ...authorization,
          accept: "application/json",
          ...(wire.body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(wire.body) }),
        },
      });
      const onAbort = () => request.destroy(new Error("aborted"));
      const timer = setTimeout(() => request.destroy(timedOut(options.url, wire.timeoutMs)), wire.timeoutMs);
      wire.signal?.addEventListener("abort", onAbort, { once: true });
      const settle = () => {
        clearTimeout(timer);
        wire.signal?.removeEventListener("abort", onAbort);
      };
      const fail = (error: NodeJS.ErrnoException) => {
        settle();
        if (wire.signal?.aborted === true) return reject(abortReason(wire.signal));
        if (error instanceof HubError) return reject(error);
        reject(unreachable(options.url, error));
      };
      request.on("error", fail);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          settle();
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString("utf8"),
            ...retryAfter(response.headers["retry-after"]),
          });
        });
      });
      request.end(wire.body);
    });
  }

  return {
    async request(wire) {
      try {
        return await once(wire);
      } catch (error) {
        // The hub may close an idle connection just as we reuse it; a question can simply be asked again.
        const reset =
          error instanceof HubError && error.code === "HUB_UNREACHABLE" && error.details["sent"] === true;
        if (reset && wire.method === "GET") return once(wire);
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

function retryAfter(header: string | undefined): { retryAfterMs?: number } {
  const seconds = Number(header);
  return header === undefined || !Number.isFinite(seconds) ? {} : { retryAfterMs: seconds * 1000 };
}

function timedOut(url: string, timeoutMs: number): HubError {
  return new HubError(
    "TIMED_OUT",
    `The hub at ${url} did not answer within ${Math.round(timeoutMs) / 1000} s`,
    {
      url,
      sent: true,
    },
  );
}

/** Before a connection stands nothing can have been read; afterwards anything may have been. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
]);

function unreachable(url: string, error: NodeJS.ErrnoException): HubError {
  const reason = error.code ?? error.message;
  const sent = !neverSent.has(reason);
  const text = sent
    ? `The hub at ${url} closed the connection without an answer (${reason}); is it running? \`huddle up\` starts it`
    : `No hub answers at ${url} (${reason}). Start it with \`huddle up\``;
  return new HubError("HUB_UNREACHABLE", text, { url, reason, sent }, { cause: error });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error("aborted");
}
