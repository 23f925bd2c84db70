import type { FabricRecord } from "../contract/link/fabric.js";
import type { HubId } from "../model/link.js";
import { ALPHABET } from "./fingerprint.js";

/*
 * Mailboxes are spread over several streams by the first letter of their hub's id: whenever a server takes something out of a stream it goes
 * through all mailboxes of that stream. Who sends need not know; who reads a mailbox, or looks into one, has to name its stream.
 */

/** A fabric may have so many. */
export const STREAM_COUNTS = [1, 2, 4, 8, 16, 32] as const;

export type StreamCount = (typeof STREAM_COUNTS)[number];

export type LinkStream = { name: string; subjects: string[] };

const ONLY = "HUD_LINK";

/** In a cluster each stream is a group of three that elects its leader, and there are fewer mailboxes. */
export const usualStreams = ({ cluster }: Pick<FabricRecord, "cluster">): StreamCount =>
  cluster === undefined ? 16 : 4;

/** Fabrics were made with one before there could be more. */
export const streamsOf = ({ streams = 1 }: Pick<FabricRecord, "streams">): StreamCount => streams;

export function linkStreams(count: StreamCount): LinkStream[] {
  if (count === 1) return [{ name: ONLY, subjects: ["hud.v1.link.*.*.*"] }];
  const each = ALPHABET.length / count;
  return Array.from({ length: count }, (_, n) => {
    const letters = ALPHABET.slice(n * each, (n + 1) * each);
    return { name: `${ONLY}_${letters}`, subjects: letters.split("").map((one) => `hud.v1.link.${one}.*.*`) };
  });
}

/** The stream of a hub's mailbox. */
export function linkStreamOf(hub: HubId, count: StreamCount): string {
  if (count === 1) return ONLY;
  const each = ALPHABET.length / count;
  const first = Math.floor(ALPHABET.indexOf(hub.charAt(0)) / each) * each;
  return `${ONLY}_${ALPHABET.slice(first, first + each)}`;
}

/** The stream of the registers says how many there are: every hub may ask about that one. */
export function describeStreams(count: StreamCount): { description?: string } {
  return count === 1 ? {} : { description: `Mailboxes are in ${count} streams` };
}

export function readDescription(description: string | undefined): StreamCount {
  const [, said] = /^Mailboxes are in (\d+) streams$/.exec(description ?? "") ?? [];
  return STREAM_COUNTS.find((count) => String(count) === said) ?? 1;
}
