import { expect, test } from "vitest";
import { addressAt, memberAddresses, membersMeant } from "./member-names.js";

const members = [
  { id: "aaaa", name: "Mini" },
  { id: "bbbb", name: "mini" },
  { id: "cccc", name: "R2 D2" },
  { id: "dddd", name: "laptop" },
  { id: "eeee", name: "hub" },
];

test("a hub of the fabric is meant by its id, or by what it calls itself", () => {
  expect(membersMeant(members, "r2-d2")).toEqual([members[2]]);
  expect(membersMeant(members, "dddd")).toEqual([members[3]]);
  expect(membersMeant(members, "mini")).toEqual([members[0], members[1]]);
  expect(membersMeant(members, "elsewhere")).toEqual([]);
});

test("a name that two hubs have, that means another hub here, or that is reserved, gives way to the id", () => {
  const addresses = memberAddresses(members, (name) => name === "laptop");
  expect([...addresses.values()]).toEqual(["aaaa", "bbbb", "r2-d2", "dddd", "eeee"]);
});

test("an agent there is written to without its team only where that is the usual one", () => {
  expect(addressAt("mini", { name: "ann", team: "main" })).toBe("ann@mini");
  expect(addressAt("mini", { name: "ann", team: "red" })).toBe("red/ann@mini");
  expect(addressAt("mini", { name: "mini", team: "main" })).toBe("main/mini@mini");
});
