import type { OfflineClient, OfflineWorld } from "./offline-client.js";

/** What a throw-away hub calls a backend on its screen, which does not take the flags of the other forms. */
export const screenName = (backend: string) => `${backend}-screen`;

type Programs = { command?: string; acp?: readonly string[] };

/** Writes the configuration of a CLI, and answers with its rows of a hub's `backends`. */
export function setUpBackends(
  name: string,
  client: OfflineClient,
  world: OfflineWorld,
  programs: Programs = {},
): Record<string, unknown> {
  client.setUp(world);
  const own = { like: client.backend, env: client.env(world), ...programs };
  return { [name]: { ...own, args: client.hostedArgs ?? [] }, [screenName(name)]: own };
}
