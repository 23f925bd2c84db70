import { directoryAnswer, directoryEntry, directoryPageAnswer } from "../../contract/link/rpc.js";
import { parseAddress } from "../../model/address.js";
import type { DirectoryEntry, DirectoryPage } from "../../model/link.js";
import type { Peer } from "../../model/peer.js";
import { cutPage, placeOf } from "../directory-page.js";
import type { RpcAnswers } from "../link.js";
import type { PeerAnswer } from "./call-peer.js";
import { readAnswer } from "./read-answer.js";

/**
 * Who is there, as a hub tells. Of a page it is held to what was asked: no more agents, in their order, none twice, and only names that can be written to. A hub
 * of an earlier version answers with all of them, of which the page is cut here.
 */
export function readDirectory(
  peer: Peer,
  answer: PeerAnswer,
  page: DirectoryPage | undefined,
): RpcAnswers["directory"] {
  if (page === undefined) return readAnswer(peer, answer, directoryAnswer);
  const { agents: told, next, version, at } = readAnswer(peer, answer, directoryPageAnswer);
  const entries = new Map(told.flatMap(readEntry).map((entry) => [placeOf(entry), entry]));
  const { agents, next: more } = cutPage([...entries.values()], page);
  const last = agents.at(-1);
  const leftOut = told.length - entries.size;
  return {
    agents,
    // Where a hub says that there are more and shows nobody, there is no place to go on from.
    ...(last === undefined || (next ?? more) === undefined ? {} : { next: placeOf(last) }),
    ...(leftOut === 0 ? {} : { leftOut }),
    version,
    at,
  };
}

function readEntry(told: unknown): DirectoryEntry[] {
  const { data } = directoryEntry.safeParse(told);
  return data === undefined || parseAddress(`${data.team}/${data.name}`) === undefined ? [] : [data];
}
