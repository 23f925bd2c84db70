import type { Transport, WireAnswer, WireRequest } from "../../client/transport.js";
import { HubError } from "../../model/errors.js";

type TransportOptions = {
  token: () => string | undefined;
  /** The hub refused this token. */
  onRefused?: (token: string, why: string) => void;
};

/** To the hub that served this page. */
export function fetchTransport({ token, onRefused }: TransportOptions): Transport {
  return {
    async request(wire) {
      const own = token();
      const answer = await ask(wire, own);
      if (answer.status === 401 && own !== undefined) onRefused?.(own, whyIn(answer.text));
      return answer;
    },
    close() {},
  };
}

async function ask(wire: WireRequest, token: string | undefined): Promise<WireAnswer> {
  // By hand: AbortSignal.timeout and any leave a timer and a link behind for each call, which adds up at ten calls a second.
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  let isLate = false;
  const timer = window.setTimeout(
    () => {
      isLate = true;
      giveUp();
    },
    Math.max(1, Math.round(wire.timeoutMs)),
  );
  if (wire.signal?.aborted === true) giveUp();
  wire.signal?.addEventListener("abort", giveUp);
  try {
    const response = await fetch(wire.path, {
      method: wire.method,
      headers: {
        accept: "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(wire.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: wire.body ?? null,
      cache: "no-store",
      credentials: "omit",
      signal: stop.signal,
    });
    const retryAfter = Number(response.headers.get("retry-after") ?? "none");
    return {
      status: response.status,
      text: await response.text(),
      ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
    };
  } catch (error) {
    if (wire.signal?.aborted === true) throw error;
    throw isLate ? timedOut(wire.timeoutMs) : unreachable(error);
  } finally {
    window.clearTimeout(timer);
    wire.signal?.removeEventListener("abort", giveUp);
  }
}

/** A browser does not say whether anything was sent: what may be stored counts as sent. */
function unreachable(cause: unknown): HubError {
  return new HubError(
    "HUB_UNREACHABLE",
    `The hub at ${window.location.host} does not answer. Start it with \`huddle up\``,
    { url: window.location.origin, sent: true },
    { cause },
  );
}

function timedOut(timeoutMs: number): HubError {
  return new HubError(
    "TIMED_OUT",
    `The hub at ${window.location.host} did not answer within ${Math.round(timeoutMs / 1000)} s`,
    { url: window.location.origin, sent: true },
  );
}

function whyIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && "error" in body && typeof body.error === "string")
      return body.error;
  } catch {
    // Not the hub's words.
  }
  return "The hub takes this page's token no more";
}
