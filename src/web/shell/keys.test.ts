import { expect, test } from "vitest";
import { findBinding, type KeyBinding, type KeyScope, nameKey } from "./keys.js";

const act = () => {};
const binding = (keys: string, more: Partial<KeyBinding> = {}): KeyBinding => ({
  keys,
  label: keys,
  act,
  ...more,
});
const scope = (name: string, bindings: KeyBinding[], inDialog = false): KeyScope => ({
  id: Symbol(name),
  name,
  bindings,
  inDialog,
});
const pressed = { key: "k", metaKey: false, ctrlKey: false, altKey: false, shiftKey: false };

test("a key is named as it is written in a binding", () => {
  expect(nameKey(pressed)).toBe("k");
  expect(nameKey({ ...pressed, key: "K", ctrlKey: true })).toBe("mod+k");
  expect(nameKey({ ...pressed, key: "Enter", metaKey: true })).toBe("mod+Enter");
  expect(nameKey({ ...pressed, key: "?", shiftKey: true })).toBe("?");
});

test("the scope further inside has the key", () => {
  const outer = binding("r");
  const inner = binding("r");
  expect(findBinding([scope("page", [outer]), scope("row", [inner])], undefined, "r", false)).toBe(inner);
});

test("two keys after each other do what one of them alone does not", () => {
  const chat = binding("g c");
  const scopes = [scope("page", [chat, binding("c")])];
  expect(findBinding(scopes, undefined, "g", false)).toBe("prefix");
  expect(findBinding(scopes, "g", "c", false)).toBe(chat);
  expect(findBinding(scopes, "g", "x", false)).toBeUndefined();
});

test("letters are for writing while somebody writes", () => {
  const palette = binding("mod+k", { whileWriting: true });
  const scopes = [scope("page", [binding("n"), palette])];
  expect(findBinding(scopes, undefined, "n", true)).toBeUndefined();
  expect(findBinding(scopes, undefined, "mod+k", true)).toBe(palette);
});

test("while a dialog is open only its keys work", () => {
  const deny = binding("d");
  const scopes = [scope("dialog", [deny], true), scope("page", [binding("j")])];
  expect(findBinding(scopes, undefined, "j", false)).toBeUndefined();
  expect(findBinding(scopes, undefined, "d", false)).toBe(deny);
});
