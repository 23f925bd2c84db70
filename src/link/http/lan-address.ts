import { isIP } from "node:net";
import { type Interfaces, isLocalAddress, systemInterfaces } from "./local-address.js";

/** Where other machines of this network reach this one: its first private IPv4 address, else loopback. */
export function lanAddress(interfaces: Interfaces = systemInterfaces): string {
  const addresses = interfaces().map(({ address }) => address);
  const isLan = (address: string) =>
    isIP(address) === 4 && !/^(127|169\.254)\./.test(address) && isLocalAddress(address, () => []);
  return addresses.find(isLan) ?? "127.0.0.1";
}

/** Whether a listener with this host answers on all addresses. */
export function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "";
}
