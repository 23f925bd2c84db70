import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hub } from "../hub/hub.js";
import { useAgentsReady } from "../hub/use-agents.js";
import { EmptyState } from "../parts/empty-state.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { hrefOf } from "./places.js";

/** An address that leads to nobody who is here: to somebody who has left, or to nobody at all. */
export function UnknownAgent({
  name,
  left,
}: {
  name: string;
  left: (id: string, name: string) => ReactNode;
}) {
  const isReady = useAgentsReady();
  return isReady ? <Missing name={name} left={left} /> : <Skeleton label="Loading the agents" />;
}

function Missing({ name, left }: { name: string; left: (id: string, name: string) => ReactNode }) {
  // Its mail is known by its id, and by its name as long as nobody else has that.
  const { data, error, isPending } = useQuery({
    queryKey: ["left", name],
    queryFn: ({ signal }) => hub.history(name, { limit: 20 }, { signal }),
  });
  if (isPending) return <Skeleton label="Looking for the agent" />;
  if (data !== undefined) {
    const sent = data.messages.find(({ fromSession, from }) => fromSession === name || from === name);
    const got = data.messages.find(({ from, to }) => from !== name && to !== "all");
    return left(sent?.fromSession ?? name, sent?.from ?? got?.to ?? name);
  }
  return (
    <EmptyState title="This agent is not here" command="huddle agents">
      {error === null ? <ShownText text={name} /> : <ShownText text={error.message} />}
    </EmptyState>
  );
}

export function UnknownPlace({ path }: { path: string }) {
  return (
    <EmptyState title="There is nothing at this address">
      <code>
        <ShownText text={path} />
      </code>{" "}
      is not a place of the desk. <a href={hrefOf({ page: "home" })}>Go to the beginning</a>
    </EmptyState>
  );
}
