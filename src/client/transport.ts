/** One request as it goes over the wire: the client is made of these, whatever carries them. */
export type WireRequest = {
  method: string;
  /** Path and query, already encoded. */
  path: string;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

export type WireAnswer = { status: number; text: string; retryAfterMs?: number };

/**
 * Carries requests to one hub. It MUST reject with a HubError: HUB_UNREACHABLE when there was no whole answer (with
 * `sent: true` in its details once the hub may have read the request), TIMED_OUT when it took too long; and with the
 * signal's reason once that is aborted.
 */
export type Transport = {
  request(request: WireRequest): Promise<WireAnswer>;
  close(): void;
};
