import { expect, test } from "vitest";
import { refusalOf } from "../../../test/refusal-of.js";
import { createReaderRegistry } from "./reader-registry.js";

function openRegistry(total = 10, each = total) {
  const registry = createReaderRegistry({ total, each });
  const dropped: string[] = [];
  const add = (owner: string, name: string) =>
    registry.add(owner, (reason) => dropped.push(`${name}: ${reason}`));
  return { registry, dropped, add };
}

test("all streams of an owner are dropped, once, and nobody else's", () => {
  const { registry, dropped, add } = openRegistry();
  add("alice", "first");
  add("bob", "other");
  add("alice", "second");

  registry.dropOwner("alice", "left");
  registry.dropOwner("alice", "left again");

  expect(dropped).toEqual(["first: left", "second: left"]);
  expect(registry.count()).toBe(1);
});

test("a stream that was closed is not dropped any more", () => {
  const { registry, dropped, add } = openRegistry();
  const close = add("alice", "closed");
  add("alice", "open");

  close();
  close();
  registry.dropAll("the hub stops");

  expect(dropped).toEqual(["open: the hub stops"]);
  expect(registry.count()).toBe(0);
});

test("one agent has its share of them, others theirs, and what agents open keeps the person out of nothing", () => {
  const { registry, add } = openRegistry(3, 2);
  const close = add("alice", "first");
  add("alice", "second");
  expect(refusalOf(() => add("alice", "third"))).toMatchObject({
    code: "TOO_MANY_READERS",
    message: expect.stringContaining("You have 2 event streams already, the most for one agent") as unknown,
  });
  add("bob", "third");
  expect(refusalOf(() => add("carol", "fourth"))).toMatchObject({ code: "TOO_MANY_READERS" });

  for (const name of ["first", "second", "third"]) add("human", name);
  expect(refusalOf(() => add("human", "fourth"))).toMatchObject({ code: "TOO_MANY_READERS" });

  close();
  close();
  registry.dropOwner("bob", "left");
  add("alice", "again");
  add("carol", "fourth");
  expect(refusalOf(() => add("dave", "fifth"))).toMatchObject({ code: "TOO_MANY_READERS" });
});

test("there are as many as the cap and no more, until one closes", () => {
  const { add } = openRegistry(2);
  const close = add("alice", "first");
  add("bob", "second");

  const refused = refusalOf(() => add("carol", "third"));
  expect(refused.code).toBe("TOO_MANY_READERS");
  expect(refused.message).toContain("2 event streams");
  close();
  expect(() => add("carol", "third")).not.toThrow();
});

test("whoever comes once all were dropped is refused: nothing would end their stream", () => {
  const { registry, add } = openRegistry();

  registry.dropAll("the hub stops");

  expect(refusalOf(() => add("alice", "late"))).toMatchObject({ code: "SHUTTING_DOWN" });
  expect(registry.count()).toBe(0);
});
