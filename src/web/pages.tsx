import { AgentDetails } from "./shell/agent-details.js";
import { PageFrame } from "./shell/page-frame.js";
import { useTitle } from "./shell/page-title.js";

/* The pages, each in a folder of its own; this is where they are put into the desk. */

export function AgentPage({ id, name }: { id: string; name: string }) {
  useTitle(name);
  return (
    <PageFrame panel={<AgentDetails id={id} />} panelLabel="Details">
      <h1>{name}</h1>
    </PageFrame>
  );
}

export function MessagePage({ id }: { id: string }) {
  return <p>{id}</p>;
}

export function NeedsPage({ id }: { id: string | undefined }) {
  useTitle("Needs you");
  return <p>{id}</p>;
}

export function NewAgent({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      close
    </button>
  );
}

export function FirstStart() {
  return <p>No agents yet</p>;
}
