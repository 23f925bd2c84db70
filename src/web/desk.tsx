import { useEffect, useRef } from "react";
import { useAgentStore } from "./hub/agent-store.js";
import { lookAt } from "./hub/unread.js";
import { useAgentId, useAgentIds, useAgentsReady } from "./hub/use-agents.js";
import { AgentPage, FirstStart, MessagePage, NeedsPage, NewAgent } from "./pages.js";
import { AgentsPage } from "./shell/agents-page.js";
import { goTo, type Place, usePlace } from "./shell/places.js";
import { RequestPage } from "./shell/request-page.js";
import { Shell } from "./shell/shell.js";
import { UnknownAgent, UnknownPlace } from "./shell/unknown-place.js";
import { usePhone } from "./shell/use-phone.js";

/** The place that the address names, in the shell. A new agent is a dialog over the place before it. */
export function Desk() {
  const place = usePlace();
  const under = useRef<Place>({ page: "home" });
  if (place.page !== "new-agent") under.current = place;
  const agentId = useChosenAgent(under.current);
  return (
    <Shell place={place} agentId={agentId}>
      <Page place={under.current} agentId={agentId} />
      {place.page === "new-agent" && <NewAgent onClose={() => goTo(under.current)} />}
    </Shell>
  );
}

function Page({ place, agentId }: { place: Place; agentId: string | undefined }) {
  switch (place.page) {
    case "home":
      return <Home />;
    case "agent":
      return agentId === undefined ? (
        <UnknownAgent name={place.name} />
      ) : (
        <AgentPage key={agentId} id={agentId} name={place.name} />
      );
    case "message":
      return <MessagePage key={place.id} id={place.id} />;
    case "request":
      return <RequestPage id={place.id} />;
    case "needs-you":
      return <NeedsPage id={place.id} />;
    case "new-agent":
      return null;
    case "nowhere":
      return <UnknownPlace path={place.path} />;
  }
}

/** A phone lists the agents; a wide window goes to the one that was looked at last. */
function Home() {
  const isPhone = usePhone();
  const ids = useAgentIds();
  const isReady = useAgentsReady();
  const isEmpty = ids.length === 0;
  useEffect(() => {
    if (isPhone || isEmpty) return;
    const { byId } = useAgentStore.getState();
    const last = byId.get(window.sessionStorage.getItem(LAST) ?? "") ?? byId.get(ids[0] ?? "");
    if (last !== undefined) goTo({ page: "agent", name: last.name }, { replace: true });
  }, [isPhone, isEmpty, ids]);
  if (!isReady) return null;
  if (isEmpty) return <FirstStart />;
  return isPhone ? <AgentsPage /> : null;
}

const LAST = "huddle.last-agent";

/** Whose page it is. One that is renamed while somebody looks keeps its page, under its new address. */
function useChosenAgent(place: Place): string | undefined {
  const name = place.page === "agent" ? place.name : undefined;
  const found = useAgentId(name);
  const before = useRef<{ name: string; id: string }>(undefined);
  if (name !== undefined && found !== undefined) before.current = { name, id: found };
  const known = before.current?.name === name ? before.current : undefined;
  const newName = useAgentStore(({ byId }) => (known === undefined ? undefined : byId.get(known.id)?.name));
  useEffect(() => {
    if (found === undefined && newName !== undefined && known !== undefined && newName !== known.name)
      goTo({ page: "agent", name: newName }, { replace: true });
  }, [found, newName, known]);
  const id = found ?? (newName === undefined ? undefined : known?.id);
  useEffect(() => {
    lookAt(id);
    if (id !== undefined) window.sessionStorage.setItem(LAST, id);
    return () => lookAt(undefined);
  }, [id]);
  return id;
}
