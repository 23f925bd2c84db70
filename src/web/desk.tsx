import { useEffect, useRef } from "react";
import { leftAgent, useAgentStore } from "./hub/agent-store.js";
import { lookAt } from "./hub/unread.js";
import { useAgentId, useAgentIds, useAgentsReady } from "./hub/use-agents.js";
import { NeedsPage } from "./needs/needs-page.js";
import { useNeedNotices } from "./needs/notices.js";
import {
  AgentPage,
  HealthPage,
  LeftAgentPage,
  LogPage,
  MessagePage,
  NetworkPage,
  RequestsPage,
  WorkflowsPage,
} from "./pages.js";
import { AgentsPage } from "./shell/agents-page.js";
import { goTo, type Place, usePlace } from "./shell/places.js";
import { Shell } from "./shell/shell.js";
import { UnknownAgent, UnknownPlace } from "./shell/unknown-place.js";
import { usePhone } from "./shell/use-phone.js";
import { NewAgent } from "./spawn/new-agent.js";
import { FirstStart } from "./start/first-start.js";

/** The place that the address names, in the shell. A new agent is a dialog over the place before it. */
export function Desk() {
  const place = usePlace();
  useNeedNotices();
  const under = useRef<Place>({ page: "home" });
  if (place.page !== "new-agent") under.current = place;
  const { id: agentId, leftId } = useChosenAgent(under.current);
  return (
    <Shell place={place} agentId={agentId}>
      <Page place={under.current} agentId={agentId} leftId={leftId} isCovered={place.page === "new-agent"} />
      {place.page === "new-agent" && <NewAgent onClose={() => goTo(under.current)} />}
    </Shell>
  );
}

function Page(props: {
  place: Place;
  agentId: string | undefined;
  leftId: string | undefined;
  isCovered: boolean;
}) {
  const { place, agentId, leftId, isCovered } = props;
  switch (place.page) {
    case "home":
      return <Home isCovered={isCovered} />;
    case "agent":
      if (agentId !== undefined) return <AgentPage key={agentId} id={agentId} name={place.name} />;
      return leftId === undefined ? (
        <UnknownAgent
          key={place.name}
          name={place.name}
          left={(id, name) => <LeftAgentPage id={id} name={name} />}
        />
      ) : (
        <LeftAgentPage key={leftId} id={leftId} name={leftAgent(leftId)?.name ?? place.name} />
      );
    case "message":
      return <MessagePage key={place.id} id={place.id} />;
    case "network":
      return <NetworkPage conversation={place.id} />;
    case "requests":
      return <RequestsPage id={place.id} />;
    case "workflows":
      return <WorkflowsPage id={place.id} step={place.step} />;
    case "log":
      return <LogPage query={place.id} />;
    case "health":
      return <HealthPage />;
    case "needs-you":
      return <NeedsPage id={place.id} />;
    case "new-agent":
      return null;
    case "nowhere":
      return <UnknownPlace path={place.path} />;
  }
}

/** A phone lists the agents; a wide window goes to the one that was looked at last. */
function Home({ isCovered }: { isCovered: boolean }) {
  const isPhone = usePhone();
  const ids = useAgentIds();
  const isReady = useAgentsReady();
  const isEmpty = ids.length === 0;
  useEffect(() => {
    // A dialog over it has an address of its own, which is to stay.
    if (isPhone || isEmpty || isCovered) return;
    const { byId } = useAgentStore.getState();
    const last = byId.get(window.sessionStorage.getItem(LAST) ?? "") ?? byId.get(ids[0] ?? "");
    if (last !== undefined) goTo({ page: "agent", name: last.name }, { replace: true });
  }, [isPhone, isEmpty, isCovered, ids]);
  if (!isReady) return null;
  if (isEmpty) return <FirstStart />;
  return isPhone ? <AgentsPage /> : null;
}

const LAST = "huddle.last-agent";

/**
 * Whose page it is. One that is renamed while somebody looks keeps its page, under its new address; so does one that leaves
 * (`leftId`), under its id.
 */
function useChosenAgent(place: Place): { id: string | undefined; leftId: string | undefined } {
  const name = place.page === "agent" ? place.name : undefined;
  const found = useAgentId(name);
  const before = useRef<{ name: string; id: string }>(undefined);
  if (name !== undefined && found !== undefined) before.current = { name, id: found };
  const isKnown = before.current?.name === name || before.current?.id === name;
  const known = isKnown ? before.current : undefined;
  const newName = useAgentStore(({ byId }) => (known === undefined ? undefined : byId.get(known.id)?.name));
  useEffect(() => {
    if (found === undefined && newName !== undefined && known !== undefined && newName !== known.name)
      goTo({ page: "agent", name: newName }, { replace: true });
  }, [found, newName, known]);
  const isReady = useAgentsReady();
  const hasLeft = isReady && found === undefined && newName === undefined && known !== undefined;
  const leftId = hasLeft ? known.id : undefined;
  useEffect(() => {
    // Its name may be another's tomorrow; by its id its history is found for good.
    if (leftId !== undefined && leftId !== name) goTo({ page: "agent", name: leftId }, { replace: true });
  }, [leftId, name]);
  const id = found ?? (newName === undefined ? undefined : known?.id);
  useEffect(() => {
    lookAt(id);
    if (id !== undefined) window.sessionStorage.setItem(LAST, id);
    return () => lookAt(undefined);
  }, [id]);
  return { id, leftId };
}
