import { useQuery } from "@tanstack/react-query";
import { hub } from "./hub.js";

/* What the sidebar says of requests and workflows. Events keep it fresh (`follow-work.ts`). */

const MOST = 100;

/** Requests that nobody has claimed, as the page with all of them shows them. */
export function openRequestsQuery() {
  return {
    queryKey: ["requests", "open"],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { requests } = await hub.requests({ status: "open", limit: MOST }, { signal });
      // The hub tells how long is left, whatever the clock of this machine says.
      const now = Date.now();
      return requests.map((request) => ({
        ...request,
        expiresAt: now + (request.expires_in_seconds ?? 0) * 1000,
      }));
    },
  };
}

/** Renders when the number changes only. */
export function useOpenRequestCount(): number | undefined {
  return useQuery({ ...openRequestsQuery(), select: (requests) => requests.length }).data;
}

export type RunningSteps = { done: number; steps: number; waits: boolean };

/** Of all workflows that have not ended. Undefined while none runs. */
export function useRunningSteps(): RunningSteps | undefined {
  const { data } = useQuery({
    queryKey: ["workflows", "open"],
    queryFn: async ({ signal }) => {
      const [running, waiting] = await Promise.all([
        hub.workflows({ status: "running", limit: MOST }, { signal }),
        hub.workflows({ status: "waiting", limit: MOST }, { signal }),
      ]);
      const open = [...running.workflows, ...waiting.workflows];
      return {
        count: open.length,
        done: sum(open.map((one) => one.done_steps)),
        steps: sum(open.map((one) => one.steps)),
        waits: waiting.workflows.length > 0,
      };
    },
  });
  return data === undefined || data.count === 0 ? undefined : data;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
