import type { ServerResponse } from "node:http";
import { errorContracts } from "../../contract/errors.js";
import type { HubError } from "../../model/errors.js";

/** Every answer of the peer listener, in the shape of document 004. */
export function writeAnswer(outgoing: ServerResponse, value: Record<string, unknown>): void {
  write(outgoing, 200, value, {});
}

/** `hangUp`: what is left of the request is not read. */
export function writeRefusal(outgoing: ServerResponse, error: HubError, hangUp: boolean): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  write(outgoing, statusOf(error), refusalBody(error), {
    ...refusalHeaders(error),
    ...(hangUp ? { connection: "close" } : {}),
  });
}

export function refusalBody({ message, code }: HubError) {
  return { ok: false, queued: false, error: message, code };
}

export function statusOf({ code }: HubError): number {
  return errorContracts[code].status ?? 500;
}

export function refusalHeaders({ code, details }: HubError): Record<string, string> {
  const headers: Record<string, string> = {};
  const milliseconds = details["retry_after_ms"];
  const seconds =
    typeof milliseconds === "number" ? Math.ceil(milliseconds / 1000) : errorContracts[code].retryAfter;
  if (seconds !== undefined) headers["retry-after"] = String(seconds);
  const allow = details["allow"];
  if (Array.isArray(allow)) headers["allow"] = allow.join(", ");
  if (code === "UNAUTHENTICATED") headers["www-authenticate"] = "Bearer";
  return headers;
}

function write(
  outgoing: ServerResponse,
  status: number,
  value: Record<string, unknown>,
  headers: Record<string, string>,
): void {
  const json = JSON.stringify(value);
  outgoing
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      ...headers,
    })
    .end(json);
}
