import { LRUCache } from "lru-cache";
import type { HubId } from "../../model/link.js";
import type { LinkLog } from "../link-log.js";

/**
 * Says that something in the name of a hub was ignored, and why: once a minute for each reason. Anybody on a fabric can bring such a thing
 * about, so it proves nothing about that hub.
 */
export type Ignored = (hub: HubId, why: string) => void;

export function createIgnored(log: LinkLog): Ignored {
  const told = new LRUCache<string, true>({ max: 100, ttl: 60_000 });
  return (hub, why) => {
    if (told.has(`${hub} ${why}`)) return;
    told.set(`${hub} ${why}`, true);
    log.warn({ hub }, `something on the fabric was ignored: ${why}`);
  };
}
