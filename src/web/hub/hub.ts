import { QueryClient } from "@tanstack/react-query";
import { hubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { fetchTransport } from "./fetch-transport.js";
import { currentToken, endSession } from "./session.js";

/** The hub that served this page, by the client that the command line uses. */
export const hub = hubClient({
  transport: fetchTransport({ token: currentToken, onRefused: endSession }),
  timeoutMs: 15_000,
});

/**
 * What was fetched. Nothing gets stale by time: events say what changed. What nobody looks at is forgotten after a minute, so
 * that a page that is open for weeks does not grow.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: "always",
      retry: (failures, error) => failures < 2 && passesByItself(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** Waiting may fix it; a refusal stays one. */
export function passesByItself(error: unknown): boolean {
  if (!(error instanceof HubError)) return false;
  switch (error.code) {
    case "HUB_UNREACHABLE":
    case "TIMED_OUT":
    case "SHUTTING_DOWN":
    case "OUTCOME_UNKNOWN":
    case "TOO_MANY_READERS":
      return true;
    default:
      return false;
  }
}
