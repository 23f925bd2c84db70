import { expect, test } from "vitest";
import { isNamed, namedEnd, tagOf } from "./message-tag.js";

const id = "0190aaaa-bbbb-7ccc-8ddd-eeee12345678";

test.each([
  ["MSG_AN_N_12345678", "12345678"],
  ["12345678", "12345678"],
  ["5678", "5678"],
  ["8ddd-EEEE12345678", "12345678"],
  ["567", undefined],
  ["5-6-7", undefined],
  [id, undefined],
  ["order-42", undefined],
  ["MSG_ANN_1234567", undefined],
])("%s names what ends in %s", (named, end) => {
  expect(namedEnd(named)).toBe(end);
});

test.each([
  ["MSG_AN_N_12345678", true],
  ["MSG_ANN_12345678", false],
  ["5678", true],
  ["8ddd-EEEE12345678", true],
  ["8dddeeee12345678", true],
  ["0000-eeee12345678", false],
])("%s: %s", (named, means) => {
  expect(isNamed({ id, fromName: "an-n" }, named)).toBe(means);
});

test("of an id that is not a UUID the tag has what hexadecimal digits it has", () => {
  expect(tagOf({ id: "job-42", fromName: "ann" })).toBe("MSG_ANN_00000b42");
});
