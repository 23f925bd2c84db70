import { expect, test } from "vitest";
import { memberPeer } from "../../test/fakes/fabric-yard.js";
import { peerAt } from "../../test/fakes/link-yard.js";
import { createTestClock } from "../../test/fakes/test-clock.js";
import { createWatched, MOST_WATCHED } from "./watched.js";

const members = Array.from({ length: 60 }, (_, n) =>
  memberPeer(`hub-${String(n).padStart(2, "0")}`, { id: `id-${n}`, publicKey: "key" }),
);
const names = members.map(({ name }) => name);

function watchMany() {
  const clock = createTestClock();
  const watched = createWatched(clock);
  watched.settle(members);
  return { clock, watched, now: () => names.filter(watched.has) };
}

test("fifty hubs of a fabric are watched, and every peer that has an address", () => {
  const { watched, now } = watchMany();
  expect(now()).toEqual(names.slice(0, MOST_WATCHED));
  const linked = Array.from({ length: 60 }, (_, n) => peerAt(`linked-${n}`, 1));
  watched.settle([...linked, ...members]);
  expect(linked.every(({ name }) => watched.has(name))).toBe(true);
  expect(now()).toHaveLength(MOST_WATCHED);
});

test("a hub that mail goes to or comes from takes the place of the one that was quiet for longest", () => {
  const { clock, watched, now } = watchMany();
  for (const name of names.slice(0, 49)) watched.use(name);
  watched.use("hub-55");
  expect(watched.has("hub-55")).toBe(true);
  expect(watched.has("hub-49")).toBe(false);

  // Everybody had mail a moment ago.
  watched.use("hub-56");
  expect(watched.has("hub-56")).toBe(false);
  clock.advance(5 * 60_000);
  for (const name of names.slice(1, 49)) watched.use(name);
  clock.advance(5 * 60_000);
  watched.use("hub-56");
  expect(watched.has("hub-56")).toBe(true);
  expect(watched.has("hub-00")).toBe(false);
  expect(now()).toHaveLength(MOST_WATCHED);
});

test("the place of a hub that is a peer no more is filled", () => {
  const { watched, now } = watchMany();
  watched.settle(members.slice(5));
  expect(now()).toEqual(names.slice(5, 55));
  watched.use("hub-00");
  expect(watched.has("hub-00")).toBe(false);
});
