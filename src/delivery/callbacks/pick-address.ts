import { BlockList, isIP, isIPv4 } from "node:net";

/** Every address that a name has now. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

type Family = "ipv4" | "ipv6";

// Those of IPv4 apart from those of IPv6: a list that has mapped addresses takes every IPv4 address for one, and the other way round.
const never4 = blockList([
  ["0.0.0.0", 8, "ipv4"], // unspecified, "this network"
  ["169.254.0.0", 16, "ipv4"], // link-local; clouds give out credentials there
  ["224.0.0.0", 4, "ipv4"], // multicast
  ["240.0.0.0", 4, "ipv4"], // reserved, broadcast
]);
const never6 = blockList([
  ["::", 96, "ipv6"], // unspecified, and IPv4 written as IPv6
  ["::ffff:0:0", 96, "ipv6"], // mapped IPv4
  ["::ffff:0:0:0", 96, "ipv6"], // translated IPv4
  ["64:ff9b::", 96, "ipv6"], // NAT64
  ["64:ff9b:1::", 48, "ipv6"],
  ["2001::", 32, "ipv6"], // Teredo
  ["2002::", 16, "ipv6"], // 6to4
  ["fec0::", 10, "ipv6"], // site-local, of old
  ["ff00::", 8, "ipv6"], // multicast
]);
const loopback4 = blockList([["127.0.0.0", 8, "ipv4"]]);
const loopback6 = blockList([["::1", 128, "ipv6"]]);
/** Names of the local network (`mini.local`) have one of these beside the one that is meant: they are passed over. */
const linkLocal = blockList([["fe80::", 10, "ipv6"]]);

/** The one address that a callback is sent to, or why there is none. All that a name has must be allowed: a name that leads astray once is not trusted for the rest. */
export async function pickAddress(
  host: string,
  resolve: ResolveHost,
): Promise<{ address: string } | { refused: string }> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const mayLoop = isLoopbackHost(host);
  const usable: string[] = [];
  for (const address of addresses) {
    if (matches(linkLocal, address)) continue;
    if (!isAllowed(address, mayLoop))
      return { refused: `${host} leads to ${address}, which no callback may go to` };
    usable.push(address);
  }
  const [address] = usable;
  return address === undefined
    ? { refused: `${host} has no address that a callback may go to` }
    : { address };
}

function isAllowed(address: string, mayLoop: boolean): boolean {
  if (isIP(address) === 0) return false;
  return isLoopback(address) ? mayLoop : !matches(isIPv4(address) ? never4 : never6, address);
}

/** The person wrote this machine itself down as a peer. */
function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === "localhost" || isLoopback(host);
}

function isLoopback(address: string): boolean {
  return isIPv4(address) ? matches(loopback4, address) : matches(loopback6, address);
}

function matches(list: BlockList, address: string): boolean {
  const family: Family = isIPv4(address) ? "ipv4" : "ipv6";
  return isIP(address) !== 0 && list.check(address.split("%")[0] ?? "", family);
}

function blockList(subnets: readonly (readonly [string, number, Family])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix, family] of subnets) list.addSubnet(net, prefix, family);
  return list;
}
