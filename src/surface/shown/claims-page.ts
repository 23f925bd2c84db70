import { addressNow } from "../../hub/rules/address-of.js";
import type { AgentId } from "../../model/agent.js";
import type { PeerName } from "../../model/peer.js";
import { goesFirst } from "../../model/work.js";
import type { PeerWork } from "../../views/peer-work.js";
import type { Work } from "../../views/work.js";
import type { HubPorts } from "../ports.js";

type PageQuery = { cursor?: string | undefined; limit: number };

type Shown = {
  task: string;
  owner: string;
  since: string;
  expires_in_seconds: number;
  hub?: string;
  behind?: string;
};

/** Who is on what, here and elsewhere, in order of the tasks: all claims of a task are on one page. */
export function claimsPage(
  ports: HubPorts,
  { cursor = "", limit }: PageQuery,
  reader: AgentId,
): { claims: Shown[]; next: string | null } {
  const { work, peerWork } = ports.views;
  const own = new Map(work.list(cursor, limit + 1).map((claim) => [claim.task, claim]));
  const found = [...new Set([...own.keys(), ...peerWork.tasksAfter(cursor, limit + 1)])].sort(compare);
  const page = found.slice(0, limit);
  return {
    claims: page.flatMap((task) => claimsOf(ports, own.get(task), peerWork.of(task), reader)),
    next: found.length > limit ? (page.at(-1) ?? null) : null,
  };
}

/** As SQLite sorts: by bytes. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function claimsOf(
  ports: HubPorts,
  own: Work | undefined,
  elsewhere: readonly PeerWork[],
  reader: AgentId,
): Shown[] {
  const { views } = ports;
  const now = ports.now();
  const holds = ({ until }: Work) => until > now;
  const name = ({ owner, ownerName }: Work) => addressNow(views, owner, ownerName, reader);
  const hubId = (hub: PeerName | undefined) =>
    (hub === undefined ? ports.peers.self()?.hubId : views.peers.byName(hub)?.hubId) ?? null;
  const claims: (Work & { hub?: PeerName })[] = [
    ...(own !== undefined && holds(own) ? [own] : []),
    ...elsewhere.filter(holds),
  ];
  const [first] = claims
    .map((claim) => ({ claim, since: claim.since, hubId: hubId(claim.hub) }))
    .sort((one, other) => (goesFirst(one, other) ? -1 : 1))
    .map(({ claim }) => claim);
  return claims.map((claim) => ({
    task: claim.task,
    owner: name(claim),
    since: new Date(claim.since).toISOString(),
    expires_in_seconds: (claim.until - now) / 1000,
    ...(claim.hub === undefined ? {} : { hub: claim.hub }),
    ...(first === undefined || first === claim ? {} : { behind: name(first) }),
  }));
}
