import { createClient } from "../client/http-client.js";
import type { HubClient } from "../client/hub-client.js";

/** The throw-away hub, as whoever started the self-test runs it. */
export type OwnHub = {
  /** Starts it and answers where it is, and with which token it is operated. */
  start(): Promise<{ url: string; token: string }>;
  /** Lets its agents end, and it. */
  stop(): Promise<void>;
};

/** The clients of that hub: after a restart it has another address. */
export type HubLink = {
  operator(): HubClient;
  /** As the agent that has this token. */
  as(token: string): HubClient;
  start(): Promise<void>;
  restart(): Promise<void>;
  close(): void;
};

const CALL_MS = 15_000;

export function createHubLink(hub: OwnHub): HubLink {
  const clients = new Map<string, HubClient>();
  let target = { url: "", token: "" };

  function as(token: string): HubClient {
    const client = clients.get(token) ?? createClient({ url: target.url, token, timeoutMs: CALL_MS });
    clients.set(token, client);
    return client;
  }
  function close() {
    for (const client of clients.values()) client.close();
    clients.clear();
  }
  async function start() {
    target = await hub.start();
  }
  return {
    operator: () => as(target.token),
    as,
    start,
    async restart() {
      close();
      await hub.stop();
      await start();
    },
    close,
  };
}
