import type { Backend } from "../runtime/backend.js";
import { findBackend } from "../runtime/backends/find-backend.js";
import { findClient } from "../runtime/vendors/clients.js";

/** The backend that an agent itself runs on: attached ones say by which client they came, such as `codex-mcp-client`. */
function ownBackend(backends: ReadonlyMap<string, Backend>, client: string | null): Backend | undefined {
  if (client === null) return undefined;
  const exact = backends.get(client);
  if (exact !== undefined) return exact;
  const word = /^[a-z0-9]+/.exec(client.toLowerCase())?.[0] ?? "";
  const cli = findClient(word)?.cli ?? word;
  return [...backends.values()].find(({ name }) => name === cli || name.startsWith(`${cli}-`));
}

/** What an agent runs on when nobody says: what the one that asks for it runs on, else what the person chose for all. */
export function usualBackend(
  backends: ReadonlyMap<string, Backend>,
  { client, preset }: { client: string | null; preset: string | undefined },
): Backend | undefined {
  return ownBackend(backends, client) ?? (preset === undefined ? undefined : findBackend(backends, preset));
}
