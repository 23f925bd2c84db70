import { HubError } from "../../model/errors.js";
import type { Backend } from "../backend.js";
import { clients } from "../vendors/clients.js";

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
