import { useQuery } from "@tanstack/react-query";
import type { HelpRequest } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { hub } from "../hub/hub.js";
import { openRequestsQuery } from "../hub/use-work.js";

/* Events keep all of these fresh: `hub/follow-work.ts`. */

export type ShownRequest = HelpRequest & {
  /** Of an open one: by the clock of this page. */
  expiresAt?: number;
};

const MOST = 100;
const ENDED = 40;

export function useOpenRequests() {
  return useQuery(openRequestsQuery());
}

export function useRequests(status: "claimed" | "answered" | "expired") {
  return useQuery({
    queryKey: ["requests", status],
    queryFn: async ({ signal }) => {
      const { requests } = await hub.requests(
        { status, limit: status === "claimed" ? MOST : ENDED },
        { signal },
      );
      return requests;
    },
  });
}

/** One that may not be among those that are listed. */
export function useRequest(id: string | undefined) {
  return useQuery({
    queryKey: ["request", id],
    queryFn: async ({ signal }): Promise<ShownRequest> => {
      const request = await hub.request(id ?? "", { signal });
      return request.expires_in_seconds === undefined
        ? request
        : { ...request, expiresAt: Date.now() + request.expires_in_seconds * 1000 };
    },
    enabled: id !== undefined,
  });
}

export function isUnknownRequest(error: unknown): boolean {
  return error instanceof HubError && error.code === "REQUEST_NOT_FOUND";
}

export function useClaims() {
  return useQuery({
    queryKey: ["claims"],
    queryFn: async ({ signal }) => {
      const { claims } = await hub.claims({ limit: MOST }, { signal });
      const now = Date.now();
      return claims.map((claim) => ({ ...claim, endsAt: now + claim.expires_in_seconds * 1000 }));
    },
  });
}

export function useObligations() {
  return useQuery({
    queryKey: ["obligations"],
    queryFn: async ({ signal }) => (await hub.obligations({}, { signal })).obligations,
    // A question grows old without an event.
    refetchInterval: 60_000,
  });
}
