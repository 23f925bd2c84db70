import type { AgentId } from "../../model/agent.js";
import { HubError } from "../../model/errors.js";
import type { HubPorts } from "../ports.js";

/*
 * What an answer hands out is named by one short word, which the next call gives back: that proves it. It holds the messages
 * themselves, so nothing needs to be remembered.
 */

export function ackCursor(seqs: readonly number[]): string {
  return seqs.map((seq) => seq.toString(36)).join(".");
}

type Holder = { ports: Pick<HubPorts, "execute">; me: AgentId };

export async function acknowledgeCursor(cursor: string | undefined, { ports, me }: Holder): Promise<void> {
  if (cursor === undefined) return;
  await ports.execute("proveArrival", { agent: me, seqs: readCursor(cursor), evidence: "ack" });
}

/** The messages that an answer with this word held. */
export function readCursor(cursor: string): number[] {
  if (!/^[0-9a-z]{1,11}(\.[0-9a-z]{1,11}){0,9999}$/.test(cursor)) {
    throw new HubError("INVALID_INPUT", 'ack: give what an earlier answer had as "ack"');
  }
  return cursor.split(".").map((seq) => Number.parseInt(seq, 36));
}
