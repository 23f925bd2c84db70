import { HubError } from "../model/errors.js";
import type { Backend } from "../runtime/backend.js";
import { clients, findClient } from "../runtime/vendors/clients.js";

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

/** `claude` is what people call claude-code. */
export function knownBackend(backends: ReadonlyMap<string, Backend>, name: string): Backend | undefined {
  return backends.get(name) ?? backends.get(clients.find(({ cli }) => cli === name)?.vendor ?? "");
}

export function findBackend(backends: ReadonlyMap<string, Backend>, name: string): Backend {
  const backend = knownBackend(backends, name);
  if (backend !== undefined) return backend;
  throw new HubError("BACKEND_UNKNOWN", `No backend is named "${name.slice(0, 200)}"`, {
    available: [...backends.keys()].sort(),
  });
}
