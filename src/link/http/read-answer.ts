import type { z } from "zod";
import { parseStrictJson } from "../../decoding/strict-json.js";
import { HubError } from "../../model/errors.js";
import type { Peer } from "../../model/peer.js";
import { replaceUnsafe } from "../../model/unsafe-text.js";
import { type PeerAnswer, unreachable } from "./call-peer.js";

const JSON_LIMITS = { depth: 16, keys: 100_000 };

/**
 * What a peer said, if it is what the contract promises. 4xx: it refused. Anything else (a redirect, 5xx, a page of some
 * other program) is as good as no answer.
 */
export function readAnswer<S extends z.ZodType>(
  peer: Pick<Peer, "name" | "host" | "port">,
  answer: PeerAnswer,
  schema: S,
): z.output<S> {
  const { status, body } = answer;
  const value = parse(body);
  if (status >= 400 && status < 500) throw refused(peer, answer, value);
  if (status < 200 || status > 299) throw unreachable(peer, `answers ${status}`, undefined, status);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  if (stringIn(value, "error") !== undefined && isNo(value)) throw refused(peer, answer, value);
  throw unreachable(peer, "answers something else than a hub or an agent's daemon would", read.error, status);
}

function parse(body: Buffer): unknown {
  try {
    return parseStrictJson(body, JSON_LIMITS);
  } catch {
    return undefined; // No schema of ours accepts it.
  }
}

export function refused(
  peer: Pick<Peer, "name">,
  { status, headers }: Pick<PeerAnswer, "status" | "headers">,
  value: unknown,
): HubError {
  const said = stringIn(value, "error");
  const why = said === undefined ? `answered ${status}` : `answered ${status}: ${shorten(said)}`;
  const code = stringIn(value, "code");
  const seconds = Number(headers["retry-after"]);
  const secret = status === 401 ? ". Both sides need the same secret" : "";
  return new HubError("PEER_REFUSED", `"${peer.name}" ${why}${secret}`, {
    peer: peer.name,
    status,
    ...(code === undefined ? {} : { peer_code: shorten(code) }),
    ...(Number.isFinite(seconds) && seconds > 0 ? { retry_after_ms: seconds * 1000 } : {}),
  });
}

/** Words of another machine, which end in a terminal and in mail. */
function shorten(text: string): string {
  return replaceUnsafe(text.slice(0, 300), () => "?");
}

function isNo(value: unknown): boolean {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === false;
}

function stringIn(value: unknown, key: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? found : undefined;
}
