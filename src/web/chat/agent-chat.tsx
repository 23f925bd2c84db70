import type { z } from "zod";
import type { messageStatus } from "../../contract/http/messages.js";
import { type AgentRow, findAgentId, leftAgent, useAgentStore } from "../hub/agent-store.js";
import { useAgentRow } from "../hub/use-agents.js";
import { useMessage } from "../hub/use-history.js";
import { EmptyState } from "../parts/empty-state.js";
import { ErrorCard } from "../parts/error-card.js";
import { Skeleton } from "../parts/skeleton.js";
import { useTitle } from "../shell/page-title.js";
import { FoldedText } from "./bubble/folded-text.js";
import { ChatPage } from "./chat-page.js";

/** The chat of an agent. */
export function AgentChat({ id }: { id: string }) {
  const agent = useAgentRow(id);
  return agent === undefined ? null : <ChatPage agent={agent} target={undefined} />;
}

/** What is left of an agent that is not here any more: its history. `id` finds it, `name` is what it was called. */
export function LeftChat({ id, name }: { id: string; name: string }) {
  return <ChatPage agent={leftAgent(id) ?? strangerCalled(id, name)} target={undefined} hasLeft />;
}

/** One that left before this page was opened: no more than its name is known. */
function strangerCalled(id: string, name: string): AgentRow {
  const then = new Date(0).toISOString();
  return {
    id,
    name,
    label: null,
    team: "",
    status: "idle",
    state: "offline",
    since: then,
    lastActive: then,
    evidence: "it has left",
    project: null,
    model: null,
    backend: null,
  };
}

/** The chat that a message stands in, at that message. */
export function MessageChat({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useMessage(id);
  const whose = useAgentStore((agents) =>
    data === undefined ? undefined : findWhose(data, (name) => findAgentId(agents, name)),
  );
  const agent = useAgentRow(whose);
  useTitle(agent?.name ?? "message");
  if (isPending) return <Skeleton lines={9} label="Loading the message" />;
  if (error !== null)
    return (
      <div className="chat__state">
        <ErrorCard title="This message could not be loaded" error={error} retry={() => void refetch()} />
      </div>
    );
  const { message } = data;
  if (agent !== undefined) return <ChatPage agent={agent} target={{ id, seq: message.seq }} />;
  return (
    <EmptyState title={`${message.from} to ${message.to}`}>
      Neither of them is here any more. It said: <FoldedText text={message.content} />
    </EmptyState>
  );
}

type Status = z.output<typeof messageStatus>;

/** Of the two whose message it is: the one that got it, or else sent it, and is here. */
function findWhose(
  { message, deliveries }: Status,
  find: (name: string) => string | undefined,
): string | undefined {
  const names = [...deliveries.map(({ to }) => to), message.to, message.fromSession ?? message.from];
  for (const name of names) {
    const id = find(name);
    if (id !== undefined) return id;
  }
  return undefined;
}
