import { expect, test } from "vitest";
import { peerAt } from "../../../test/fakes/link-yard.js";
import { readDirectory } from "./read-directory.js";

const peer = peerAt("liar", 1);

const agent = (name: unknown, team = "main") => ({
  id: `id-${String(name)}`,
  name,
  team,
  label: null,
  status: "idle",
});

function told(agents: readonly unknown[], next?: string) {
  const body = { ok: true, agents, version: "9", at: 1, ...(next === undefined ? {} : { next }) };
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
}

const read = (agents: readonly unknown[], page: { limit: number; after?: string }, next?: string) => {
  const { agents: found, ...rest } = readDirectory(peer, told(agents, next), page);
  return { names: found.map(({ name }) => name), ...rest };
};

test("a page of a directory is in order, and no longer than was asked for", () => {
  expect(read([agent("eve"), agent("ann"), agent("bob")], { limit: 2 })).toEqual({
    names: ["ann", "bob"],
    next: "bob/main",
    version: "9",
    at: 1,
  });
  expect(read([agent("eve")], { limit: 2, after: "bob/main" })).toEqual({
    names: ["eve"],
    version: "9",
    at: 1,
  });
});

test("what a hub lists that is no agent is left out and counted, and takes nobody's place", () => {
  const junk = [
    agent("ann\u001b[2J"),
    agent("Über"),
    agent(7),
    agent("ann", "no team"),
    { ...agent("bob"), status: "asleep" },
    null,
    "bob",
  ];
  expect(read([...junk, agent("ann"), agent("ann")], { limit: 5 })).toMatchObject({
    names: ["ann"],
    leftOut: 8,
  });
});

test("a hub that shows the same ones again, or says that there are more and shows none, comes to its end", () => {
  expect(read([agent("ann")], { limit: 5, after: "ann/main" }, "ann/main")).not.toHaveProperty("next");
  expect(read([], { limit: 5 }, "bob/main")).toMatchObject({ names: [] });
  expect(read([], { limit: 5 }, "bob/main")).not.toHaveProperty("next");
});
