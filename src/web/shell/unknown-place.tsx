import { useAgent, useAgentsReady } from "../hub/use-agents.js";
import { EmptyState } from "../parts/empty-state.js";
import { ShownText } from "../parts/shown-text.js";
import { Skeleton } from "../parts/skeleton.js";
import { hrefOf } from "./places.js";

/** An address that leads to nobody, or to somebody who has left. */
export function UnknownAgent({ name }: { name: string }) {
  const isReady = useAgentsReady();
  return isReady ? <Missing name={name} /> : <Skeleton label="Loading the agents" />;
}

function Missing({ name }: { name: string }) {
  const { error, isPending } = useAgent(name);
  if (isPending) return <Skeleton label="Looking for the agent" />;
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
