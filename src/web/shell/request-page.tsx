import { useQuery } from "@tanstack/react-query";
import { HubError } from "../../model/errors.js";
import { hub } from "../hub/hub.js";
import { Chip, type Tone } from "../parts/chip.js";
import { Ago } from "../parts/elapsed.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Monogram } from "../parts/monogram.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { useTitle } from "./page-title.js";
import { hrefOf } from "./places.js";
import "./request-page.css";

const tones: Readonly<Record<string, Tone>> = {
  open: "blue",
  claimed: "plain",
  answered: "green",
  expired: "amber",
};

/** One request, for the links that lead to it. */
export function RequestPage({ id }: { id: string }) {
  useTitle("Request");
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["request", id],
    queryFn: ({ signal }) => findRequest(id, signal),
    refetchInterval: 10_000,
  });
  if (isPending) return <Skeleton />;
  if (error !== null)
    return <ErrorCard title="The request could not be loaded" error={error} retry={() => void refetch()} />;
  if (data === null)
    return (
      <EmptyState title="No such request" command="huddle requests">
        It may be too old: only what the hub still keeps can be shown.
      </EmptyState>
    );
  return (
    <div className="request">
      <h1 className="request__title">Request</h1>
      <p className="request__who">
        <Monogram name={data.from} /> <a href={hrefOf({ page: "agent", name: data.from })}>{data.from}</a>{" "}
        asked <Ago at={data.timestamp} />
        <Chip tone={tones[data.status]}>{data.status}</Chip>
        {data.claimed_by !== undefined && <span>by {data.claimed_by}</span>}
      </p>
      <p className="request__text">
        <ShownText text={data.description} />
      </p>
      {data.context !== undefined && (
        <p className="request__text request__text--more">
          <ShownText text={data.context} />
        </p>
      )}
      {data.answer !== undefined && (
        <a href={hrefOf({ page: "message", id: data.answer })}>Read the answer</a>
      )}
    </div>
  );
}

/** There is no route for one: pages are looked through, the newest first. */
async function findRequest(id: string, signal: AbortSignal) {
  let cursor: string | undefined;
  try {
    do {
      const page = await hub.requests(
        { limit: 500, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      );
      const found = page.requests.find(({ request_id }) => request_id === id);
      if (found !== undefined) return found;
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== "REQUEST_NOT_FOUND") throw error;
  }
  return null;
}
