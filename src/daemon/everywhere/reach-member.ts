import type { Fabric } from "../../link/nats/fabric.js";
import { fullAddress, parseAddress } from "../../model/address.js";
import { HubError } from "../../model/errors.js";
import type { MemberName } from "../../model/link.js";
import { nearest } from "../../model/nearest.js";
import type { Peer } from "../../model/peer.js";
import { within } from "../within.js";
import { addressAt, calledName, membersMeant } from "./member-names.js";

/** Tools answer within ten seconds. */
const REACH_MS = 8000;
const LISTED = 20;

type Ports = { fabric: Fabric | undefined; ownName: string; peers: readonly Peer[] };
type Wanted = { name: string; team?: string | undefined; hub: string };

/**
 * Makes the hub of an address a peer, if it is one of the fabric. It is asked first whether it has such an agent: a name that was mistyped makes no peer. One that is away
 * becomes one, and its mail waits.
 */
export async function reachMember(address: string, ports: Ports): Promise<string | undefined> {
  const { fabric, ownName } = ports;
  const { name, team, hub } = parseAddress(address) ?? {};
  // By its own name this hub never means another that calls itself the same.
  if (fabric === undefined || name === undefined || hub === undefined || hub === ownName) return undefined;
  const late = () => unasked(hub, `it did not answer within ${REACH_MS / 1000} s`);
  return within(REACH_MS, reach({ name, team, hub }, { ...ports, fabric }), late);
}

function unasked(hub: string, why: string): HubError {
  return new HubError(
    "HUB_NOT_FOUND",
    `No hub "${hub}" is linked to this one, and the fabric could not be asked for it: ${why}. Try again later`,
    { hub },
  );
}

function unknown(hub: string, members: readonly MemberName[]): HubError {
  const meant = nearest(
    hub,
    members.flatMap((member) => calledName(member) ?? []),
  );
  const asked = meant === undefined ? "" : `. Did you mean ${meant}?`;
  return new HubError("HUB_NOT_FOUND", `No hub "${hub}" is linked to this one or on its fabric${asked}`, {
    hub,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  });
}

async function reach(wanted: Wanted, { fabric, peers }: Ports & { fabric: Fabric }) {
  const { members } = await fabric.members().catch((error: unknown) => {
    throw error instanceof HubError ? unasked(wanted.hub, error.message) : error;
  });
  const meant = membersMeant(members, wanted.hub);
  const [member] = meant;
  if (member === undefined) throw unknown(wanted.hub, members);
  if (meant.length > 1) throw ambiguous(wanted, meant);
  const known = peers.find(({ hubId }) => hubId === member.id);
  if (known === undefined) await checkAgent(wanted, member, fabric);
  const peer = known ?? (await fabric.meet(member.id));
  return peer && at(wanted, peer.name);
}

function at({ name, team, hub: asked }: Wanted, hub: string): string {
  // `mini@mini` is the hub itself, whatever it is called here.
  if (name === asked && team === undefined) return `${hub}@${hub}`;
  return `${team === undefined ? name : fullAddress({ team, name })}@${hub}`;
}

function ambiguous(wanted: Wanted, meant: readonly MemberName[]): HubError {
  const available = meant.map(({ id }) => at(wanted, id)).sort();
  return new HubError(
    "NAME_AMBIGUOUS",
    `${meant.length} hubs of the fabric call themselves "${wanted.hub}": write the id of the one that you mean, such as ${available[0]}`,
    { name: at(wanted, wanted.hub), available },
  );
}

async function checkAgent(wanted: Wanted, member: MemberName, fabric: Fabric): Promise<void> {
  const { name, team, hub } = wanted;
  if (name === hub && team === undefined) return;
  try {
    const asked = { id: member.id, name: hub };
    const { agents } = await fabric.lookUp(asked, { limit: LISTED, name });
    if (agents.some((one) => team === undefined || one.team === team)) return;
    const there = await fabric.lookUp(asked, { limit: LISTED });
    const available = there.agents.map((one) => addressAt(hub, one));
    const address = at(wanted, hub);
    const meant = nearest(address, available);
    throw new HubError("AGENT_NOT_FOUND", "Agent not found", {
      name: address,
      available,
      ...(meant === undefined ? {} : { did_you_mean: meant }),
    });
  } catch (error) {
    // Whoever is away now gets its mail later; whoever does not tell who is there may still take it.
    const isSilent =
      error instanceof HubError && (error.code === "PEER_UNREACHABLE" || error.code === "PEER_REFUSED");
    if (!isSilent) throw error;
  }
}
