import { expect, test } from "vitest";
import { refusalOf } from "../../test/refusal-of.js";
import { checkLabel, nameOfLabel } from "./label.js";

test.each(["Chat", "Ünïcode ✓", "聊天", "x".repeat(80), "a/b: c", "admin tools", "the user's helper"])(
  "free text is a label: %s",
  (label) => expect(() => checkLabel(label)).not.toThrow(),
);

test.each(["", "   ", "x".repeat(81), "two\nlines", "a\u202eb", "\u001b[31mred"])(
  "what is empty, long or drives a terminal is not: %j",
  (label) => expect(refusalOf(() => checkLabel(label))).toMatchObject({ code: "NAME_INVALID" }),
);

test.each(["User", "u s e r", "Uѕеr", "HUMAN", "the hub".slice(4), "Admin"])(
  "nobody passes for the person or the hub: %s",
  (label) => expect(refusalOf(() => checkLabel(label))).toMatchObject({ code: "NAME_RESERVED" }),
);

test("a name is made from a label; in a pane it has at most one hyphen", () => {
  expect(nameOfLabel("Chat", { inPane: false })).toBe("chat");
  expect(nameOfLabel("Puppet Dev Two", { inPane: false })).toBe("puppet-dev-two");
  expect(nameOfLabel("Puppet Dev Two", { inPane: true })).toBe("puppet_dev_two");
  expect(nameOfLabel("puppet-2", { inPane: true })).toBe("puppet-2");
  expect(nameOfLabel("聊天", { inPane: false })).toBeUndefined();
});
