import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { WorkflowList } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { hub } from "../hub/hub.js";

/* Events keep all of these fresh: `hub/follow-work.ts`. */

export type Run = WorkflowList["workflows"][number];

const PAGE = 30;

/** Newest first. */
export function useRuns(failedOnly: boolean) {
  const query = useInfiniteQuery({
    queryKey: ["workflows", failedOnly ? "failed" : "all"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      hub.workflows(
        {
          limit: PAGE,
          ...(failedOnly ? { status: "failed" as const } : {}),
          ...(pageParam === "" ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    // All of them are fetched again when a step ends.
    maxPages: 10,
  });
  return { ...query, runs: query.data?.pages.flatMap(({ workflows }) => workflows) };
}

/** Without outputs: a step has its own when somebody opens it. */
export function useWorkflow(id: string | undefined) {
  return useQuery({
    queryKey: ["workflow", id],
    queryFn: ({ signal }) => hub.workflow(id ?? "", { outputs: false }, { signal }),
    enabled: id !== undefined,
  });
}

export function useStepDetails(id: string, step: string) {
  return useQuery({
    queryKey: ["workflow-step", id, step],
    queryFn: ({ signal }) => hub.workflowStep(id, step, { signal }),
  });
}

export function isUnknown(error: unknown): boolean {
  return error instanceof HubError && error.code === "WORKFLOW_NOT_FOUND";
}
