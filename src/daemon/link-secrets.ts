import type { LinkSecrets } from "../link/link.js";
import type { Peer } from "../model/peer.js";
import { resolveSecret, type SecretPlaces } from "./secret-store/resolve-secret.js";

type KnownSecrets = LinkSecrets & {
  /** Reads those that these peers need and that were not read yet. What cannot be read is told, and is as good as missing. */
  load(peers: readonly Peer[]): Promise<void>;
  /** One that was just made. */
  keep(reference: string, secret: string): void;
};

/** The secrets of links, read from where their references lead, and kept in memory: a keychain may ask the person. */
export function createLinkSecrets(
  common: string | undefined,
  places: SecretPlaces,
  onProblem: (error: unknown, reference: string) => void,
): KnownSecrets {
  const known = new Map<string, string>();

  async function read(reference: string) {
    try {
      known.set(reference, await resolveSecret(reference, places));
    } catch (error) {
      onProblem(error, reference);
    }
  }

  const find = (reference: string | null | undefined) =>
    reference === null || reference === undefined ? undefined : known.get(reference);

  return {
    common: () => find(common),
    of: ({ secret }) => find(secret ?? common),
    async load(peers) {
      const wanted = [common, ...peers.map(({ secret }) => secret ?? undefined)];
      const missing = wanted.filter((one) => one !== undefined && !known.has(one));
      await Promise.all([...new Set(missing)].map((one) => read(one ?? "")));
    },
    keep: (reference, secret) => void known.set(reference, secret),
  };
}
