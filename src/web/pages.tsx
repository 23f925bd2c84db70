import { lazy, Suspense } from "react";
import { Skeleton } from "./parts/skeleton.js";
import { useTitle } from "./shell/page-title.js";

/* The pages, each in a folder of its own; this is where they are put into the desk. */

/** The largest of the pages, with all that it needs to read Markdown: loaded when somebody looks at an agent. */
const AgentChat = lazy(() => import("./chat/agent-chat.js").then((chat) => ({ default: chat.AgentChat })));
const MessageChat = lazy(() =>
  import("./chat/agent-chat.js").then((chat) => ({ default: chat.MessageChat })),
);

export function AgentPage({ id, name }: { id: string; name: string }) {
  useTitle(name);
  return (
    <Suspense fallback={<Skeleton lines={9} label="Loading the chat" />}>
      <AgentChat id={id} />
    </Suspense>
  );
}

export function MessagePage({ id }: { id: string }) {
  return (
    <Suspense fallback={<Skeleton lines={9} label="Loading the chat" />}>
      <MessageChat id={id} />
    </Suspense>
  );
}
