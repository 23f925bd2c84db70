import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { LAN_HOST } from "./config-comms.js";

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
/** What containers and virtual machines hang on: nobody on the network reaches those. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap)/;

/** The address that peers reach this machine at: as configured, or its first private one; loopback where there is none. */
export function listenAddress(host: string, interfaces: () => Interfaces = networkInterfaces): string {
  if (host !== LAN_HOST) return host;
  const own = Object.entries(interfaces()).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal, address }) => family === "IPv4" && !internal && PRIVATE.test(address))
      .map(({ address }) => ({ address, isVirtual: VIRTUAL.test(name) })),
  );
  return (own.find(({ isVirtual }) => !isVirtual) ?? own[0])?.address ?? "127.0.0.1";
}
