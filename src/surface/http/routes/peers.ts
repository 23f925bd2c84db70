import type { z } from "zod";
import { peerRoutes } from "../../../contract/http/peers.js";
import { DEFAULT_TEAM } from "../../../model/address.js";
import type { DirectoryEntry } from "../../../model/link.js";
import type { PeerState } from "../../../model/peer-desk.js";
import type { HubPorts } from "../../ports.js";
import type { BindRoute } from "../bind-route.js";

export function bindPeerRoutes(bind: BindRoute, { peers }: HubPorts): void {
  bind(peerRoutes.list, () => {
    const self = peers.self();
    return {
      self:
        self === undefined ? null : { name: self.name, hub_id: self.hubId, host: self.host, port: self.port },
      problem: peers.problem() ?? null,
      peers: peers.list().map(viewPeer),
    };
  });

  bind(peerRoutes.invite, async () => {
    const { line, expiresAt } = await peers.invite();
    return { line, expires: new Date(expiresAt).toISOString() };
  });

  bind(peerRoutes.join, async ({ body }) => viewPeer(await peers.join(body.line, body.name)));

  bind(peerRoutes.add, async ({ body }) => viewPeer(await peers.add(body)));

  bind(peerRoutes.remove, async ({ param }) => {
    const name = param("name");
    await peers.remove(name);
    return { name };
  });

  bind(peerRoutes.ping, async ({ param }) => viewPeer(await peers.ping(param("name"))));

  bind(peerRoutes.agents, async ({ param }) => {
    const peer = param("name");
    const agents = await peers.agents(peer);
    return { agents: agents.map((entry) => viewEntry(entry, peer, agents)) };
  });
}

function viewPeer(state: PeerState): z.input<typeof peerRoutes.ping.response> {
  const { name, kind, host, port, label, hubId, publicKey, origin, lastError, distrusted } = state;
  return {
    name,
    kind,
    host,
    port,
    label,
    hub_id: hubId,
    key: publicKey === null ? "none" : state.keySeenAt !== undefined ? "first_seen" : "paired",
    key_seen: toTime(state.keySeenAt ?? null),
    distrusted: distrusted && { ...distrusted, at: new Date(distrusted.at).toISOString() },
    origin,
    reachable: state.reachable,
    reachable_since: toTime(state.reachableSince),
    secret: state.secretState,
    last_contact: toTime(state.lastContactAt),
    last_error: lastError && { ...lastError, at: new Date(lastError.at).toISOString() },
    clock_skew_ms: state.clockSkewMs,
    version: state.version,
    waiting: state.waiting,
    oldest_waiting: toTime(state.oldestAt),
  };
}

function viewEntry(entry: DirectoryEntry, peer: string, all: readonly DirectoryEntry[]) {
  const { name, team, label, status, isPerson = false } = entry;
  const isShared = all.some((other) => other.name === name && other.team !== team);
  const isPlain = isPerson || (team === DEFAULT_TEAM && name !== peer) || (!isShared && name !== peer);
  return {
    address: `${isPlain ? "" : `${team}/`}${name}@${peer}`,
    name,
    team,
    label,
    status,
    person: isPerson,
  };
}

function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
