import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/* Which callers are on this machine or on its own network. */

const near = new BlockList();
near.addSubnet("127.0.0.0", 8, "ipv4");
near.addAddress("::1", "ipv6");
for (const [address, prefix] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const)
  near.addSubnet(address, prefix, "ipv4");
near.addSubnet("fc00::", 7, "ipv6");
near.addSubnet("fe80::", 10, "ipv6");

export type Interfaces = () => readonly { address: string; cidr: string | null }[];

export const systemInterfaces: Interfaces = () =>
  Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

/**
 * Loopback, private (RFC 1918, unique local, link-local), or in a network that one of this machine's interfaces is on. Not
 * 100.64.0.0/10: behind it are a provider's other customers, unless an interface is on it.
 */
export function isLocalAddress(
  remote: string | undefined,
  interfaces: Interfaces = systemInterfaces,
): boolean {
  const address = plainAddress(remote);
  const family = familyOf(address);
  if (family === undefined) return false;
  return near.check(address, family) || isOnLink(address, family, interfaces);
}

function isOnLink(address: string, family: "ipv4" | "ipv6", interfaces: Interfaces): boolean {
  const links = new BlockList();
  for (const { cidr } of interfaces()) {
    const [network = "", bits] = cidr?.split("/") ?? [];
    const prefix = Number(bits);
    // A default route is no network.
    if (familyOf(network) === family && prefix > 0) links.addSubnet(network, prefix, family);
  }
  return links.check(address, family);
}

/** IPv4 inside IPv6 is IPv4, and a zone is none of our business. */
export function plainAddress(remote: string | undefined): string {
  return (remote ?? "").replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}
