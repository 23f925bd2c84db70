import { appendFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RuntimeKind } from "../../src/model/hosting.js";
import { type CutPlace, type CutState, cutStates, openCutPlace } from "../fakes/cut-turns.js";
import { createHubYard, type HubYard } from "../fakes/hub-process.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";

/*
 * Promise 5, where the hub itself is killed: with -9, in every state of an agent's driver, under each runtime. No message is
 * left without an end, and none is finished without evidence. Here the agents in all of these states share two kills under one runtime,
 * and some of them one under the others: the driver is the same. HUDDLE_CUTS, in the soak, has a kill for each state under each, and more
 * in a random order and at random moments; HUDDLE_CUT_ROWS is the file that gets a line for each message.
 */

const CUTS = Number(process.env["HUDDLE_CUTS"] ?? 0);
const ROWS = process.env["HUDDLE_CUT_ROWS"];
/** All of them; those that are over soonest have a kill of their own. */
const all: CutState[][] = [
  ["idle", "busy unseen", "busy seen", "asking", "stopping", "backoff", "limited"],
  ["dormant", "starting", "offering", "cancelling"],
];
/** Those in which a process is cut that the runtime must find again or start anew; another one is added by the seed. */
const some: CutState[] = ["starting", "busy unseen", "busy seen"];
const others = cutStates.filter((state) => !some.includes(state));

let yard: HubYard;
let place: CutPlace | undefined;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  // The panes first: a bridge in one of them would start another hub.
  place?.clear();
  await yard.clear();
});

test.each<RuntimeKind>(["acp", "headless", "tmux"])(
  "whatever an agent under %s was at when the hub was killed has an end, with evidence",
  { timeout: 60_000 * Math.max(10, CUTS) },
  async (kind) => {
    const random = createRandom(chooseSeeds().at(-1) ?? 0);
    place = await openCutPlace(yard, kind);
    const shared = kind === "acp" ? all : [[...some, random.pick(others)]];
    const rounds = CUTS === 0 ? shared : cutStates.map((state) => [state]);
    for (const states of rounds) await place.cut(states, random.int(30));
    for (let more = 0; more < CUTS; more++) await place.cut([random.pick(cutStates)], random.int(400));
    console.log(place.ledger.table());
    if (ROWS !== undefined)
      appendFileSync(
        ROWS,
        place.ledger
          .rows()
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(""),
      );
    expect(place.ledger.violations()).toEqual([]);
    expect(place.ledger.states()).toEqual(new Set(rounds.flat()));
    expect(place.ledger.rows().length).toBeGreaterThan(rounds.flat().length);
  },
);

test("the kills under one runtime meet every state of the driver", () => {
  expect(all.flat().toSorted()).toEqual([...cutStates].sort());
});
