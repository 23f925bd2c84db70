import { expect, test } from "vitest";
import { checkName, emptyForm, isBelow, splitPath, toBody } from "./spawn-form.js";

test.each([
  ["", { kind: "empty" }],
  ["stripe-dev", { kind: "free" }],
  ["ann", { kind: "taken", instead: "ann-3" }],
  ["ann_2", { kind: "lookalike", other: "ann-2" }],
])("the name %j is %j", (name, check) => {
  expect(checkName(name, ["ann", "ann-2"])).toEqual(check);
});

test.each(["Not A Name", "human", "../x", "а"])("%j is refused, with the hub's own reason", (name) => {
  expect(checkName(name, [])).toMatchObject({
    kind: "refused",
    why: expect.stringContaining(name) as string,
  });
});

test("only what was typed or chosen is sent", () => {
  expect(toBody(emptyForm)).toEqual({});
  expect(
    toBody({
      ...emptyForm,
      name: " ann ",
      project: "/home/me/shop/",
      message: "  Hello\n",
      permissions: "ask",
      worktree: false,
    }),
  ).toEqual({
    name: "ann",
    project: "/home/me/shop",
    message: "  Hello\n",
    permissions: "ask",
    worktree: false,
  });
});

test("a half-typed path is looked for in its folder", () => {
  expect(splitPath("/home/me/sh")).toEqual({ folder: "/home/me", begins: "sh" });
  expect(splitPath("/home/")).toEqual({ folder: "/home", begins: "" });
  expect(splitPath("/ho")).toEqual({ folder: "/", begins: "ho" });
  expect(splitPath("shop")).toEqual({ folder: undefined, begins: "shop" });
});

test("a folder is below a root, not beside one of the same beginning", () => {
  expect(isBelow("/home/me/shop", ["/home/me"])).toBe(true);
  expect(isBelow("/home/me", ["/home/me"])).toBe(true);
  expect(isBelow("/home/meow", ["/home/me"])).toBe(false);
  expect(isBelow("/etc", ["/"])).toBe(true);
  expect(isBelow("~/shop", ["/home/me"])).toBe(true);
});
