import { expect, test } from "vitest";
import { resolveFolder } from "./resolve-folder.js";

test.each([
  [".", "/home/ann/shop"],
  ["./web/", "/home/ann/shop/web"],
  ["../other", "/home/ann/other"],
  ["/srv/x/../y", "/srv/y"],
  ["../../../../..", "/"],
])("%s from a folder", (folder, whole) => {
  expect(resolveFolder("/home/ann/shop", folder)).toBe(whole);
});
