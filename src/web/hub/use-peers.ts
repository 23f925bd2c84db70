import { useQuery } from "@tanstack/react-query";
import type { PeerList } from "../../client/hub-client.js";
import { hub } from "./hub.js";

export type Peer = PeerList["peers"][number];

/** The other hubs. Whether one is reached comes without an event. */
export function usePeers() {
  return useQuery({
    queryKey: ["peers"],
    queryFn: ({ signal }) => hub.peers({ signal }),
    refetchInterval: 10_000,
  });
}

/** Whether a name is that of somebody on another hub: `bob@r2d2`, or a daemon by its own. Renders when that changes only. */
export function useIsPeer(name: string): boolean {
  const { data } = useQuery({
    queryKey: ["peers"],
    queryFn: ({ signal }) => hub.peers({ signal }),
    select: ({ peers }) => peers.some((peer) => peer.name === name),
    enabled: !name.includes("@"),
  });
  return name.includes("@") || data === true;
}
