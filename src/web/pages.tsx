import { loadLater } from "./parts/load-later.js";
import { useTitle } from "./shell/page-title.js";

/*
 * The pages, each in a folder of its own; this is where they are put into the desk. Each is loaded when somebody goes there: the
 * chat has all that it needs to read Markdown, Network and Workflows have a graph.
 */

const AgentChat = loadLater(
  { what: "the chat" },
  async () => (await import("./chat/agent-chat.js")).AgentChat,
);

export function AgentPage({ id, name }: { id: string; name: string }) {
  useTitle(name);
  return <AgentChat id={id} />;
}

const LeftChat = loadLater({ what: "the chat" }, async () => (await import("./chat/agent-chat.js")).LeftChat);

/** Of one that is not here any more. */
export function LeftAgentPage({ id, name }: { id: string; name: string }) {
  useTitle(name);
  return <LeftChat id={id} name={name} />;
}

export const MessagePage = loadLater(
  { what: "the chat" },
  async () => (await import("./chat/agent-chat.js")).MessageChat,
);
export const NetworkPage = loadLater(
  { what: "the network" },
  async () => (await import("./network/network-page.js")).NetworkPage,
);
export const RequestsPage = loadLater(
  { what: "the requests" },
  async () => (await import("./requests/requests-page.js")).RequestsPage,
);
export const WorkflowsPage = loadLater(
  { what: "the workflows" },
  async () => (await import("./workflows/workflows-page.js")).WorkflowsPage,
);
export const LogPage = loadLater(
  { what: "the log" },
  async () => (await import("./log/log-page.js")).LogPage,
);
export const HealthPage = loadLater(
  { what: "health" },
  async () => (await import("./health/health-page.js")).HealthPage,
);
