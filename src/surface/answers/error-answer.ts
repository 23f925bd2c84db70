import { HubError } from "../../model/errors.js";
import { httpStatus, retryAfter } from "./status-codes.js";

type ErrorAnswer = { status: number; body: string; headers: Record<string, string> };

/** `{error, code, …details}`: `error` is always a sentence. An unforeseen error tells nothing of the inside. */
export function errorAnswer(error: unknown, extra: Record<string, unknown> = {}): ErrorAnswer {
  const known = toHubError(error);
  const headers: Record<string, string> = { "content-type": "application/json" };
  const milliseconds = known.details["retry_after_ms"];
  const seconds = typeof milliseconds === "number" ? Math.ceil(milliseconds / 1000) : retryAfter(known.code);
  if (seconds !== undefined) headers["retry-after"] = String(seconds);
  const allow = known.details["allow"];
  if (Array.isArray(allow)) headers["allow"] = allow.join(", ");
  if (known.code === "UNAUTHENTICATED") headers["www-authenticate"] = "Bearer";
  // What is left of the body will not be read: the connection is of no further use.
  if (known.code === "BODY_TOO_LARGE" || known.code === "REQUEST_TIMEOUT") headers["connection"] = "close";
  return {
    status: httpStatus(known.code),
    body: JSON.stringify({ error: known.message, code: known.code, ...extra, ...known.details }),
    headers,
  };
}

export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error;
  return new HubError(
    "INTERNAL",
    "The hub failed on this request; its log has the reason",
    {},
    { cause: error },
  );
}
