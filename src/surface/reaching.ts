import { HubError } from "../model/errors.js";
import type { HubPorts } from "./ports.js";

/**
 * Does something with an address. Where that names a hub which is no peer, and the fabric has one, it is made one and the same is done again: deciders cannot ask
 * other machines. What names nobody elsewhere goes straight through.
 */
export function reaching<T>(
  { peers }: Pick<HubPorts, "peers">,
  address: string,
  act: (address: string) => Promise<T>,
): Promise<T> {
  return address.includes("@") ? actOrReach(peers, address, act) : act(address);
}

async function actOrReach<T>(
  peers: HubPorts["peers"],
  address: string,
  act: (address: string) => Promise<T>,
): Promise<T> {
  try {
    return await act(address);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== "HUB_NOT_FOUND") throw error;
    const reached = await peers.reach(address);
    if (reached === undefined) throw error;
    return act(reached);
  }
}
