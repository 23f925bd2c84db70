import { expect, test } from "vitest";
import { createKeyReader } from "./keys.js";

test("arrows, pages and characters are told apart, in either way that terminals send them", () => {
  const keys = createKeyReader().read("\x1b[A\x1bOB\x1b[5~\x1b[6~jé👍\r\t\x7f");
  expect(keys).toEqual([
    { kind: "up" },
    { kind: "down" },
    { kind: "pageUp" },
    { kind: "pageDown" },
    { kind: "character", text: "j" },
    { kind: "character", text: "é" },
    { kind: "character", text: "👍" },
    { kind: "enter" },
    { kind: "tab" },
    { kind: "backspace" },
  ]);
});

test("a key that comes in two pieces is one key, and Escape alone is Escape", () => {
  const reader = createKeyReader();
  expect(reader.read("\x1b")).toEqual([]);
  expect(reader.isWaiting()).toBe(true);
  expect(reader.read("[A")).toEqual([{ kind: "up" }]);
  expect(reader.read("\x1b")).toEqual([]);
  expect(reader.giveUp()).toEqual([{ kind: "escape" }]);
  expect(reader.isWaiting()).toBe(false);
});

test("a character whose bytes come apart is one character", () => {
  const reader = createKeyReader();
  const bytes = Buffer.from("é");
  expect(reader.read(bytes.subarray(0, 1))).toEqual([]);
  expect(reader.read(bytes.subarray(1))).toEqual([{ kind: "character", text: "é" }]);
});

test("Alt with a key is not that key; a sequence that nobody knows is nothing", () => {
  expect(createKeyReader().read("\x1bo")).toEqual([{ kind: "escape" }]);
  expect(createKeyReader().read("\x1b[1;5Q\x1b[<0;3;4M")).toEqual([]);
});

test("what is pasted is one piece, however it comes", () => {
  const reader = createKeyReader();
  expect(reader.read("\x1b[200~o\r\n")).toEqual([]);
  expect(reader.isWaiting()).toBe(false);
  expect(reader.read("d\x1b[A\x1b[201~q")).toEqual([
    { kind: "paste", text: "o\nd\x1b[A" },
    { kind: "character", text: "q" },
  ]);
});
