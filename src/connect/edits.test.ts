import { expect, test } from "vitest";
import { isInEffect, makeEdit, undoEdit } from "./edits.js";
import { jsonConfig } from "./json-config.js";
import { tomlConfig } from "./toml-config.js";

const entry = { kind: "key" as const, path: ["mcpServers", "huddle"], value: { command: "n", args: ["b"] } };
const hook = { kind: "list" as const, path: ["hooks", "Stop"], value: { hooks: [{ command: "ours" }] } };

test("an entry is in effect also where people gave it options of their own, and not where a setting is missing", () => {
  const there = (value: unknown) => isInEffect({ mcpServers: { huddle: value } }, entry);
  expect(there({ command: "n", args: ["b", "--name", "ann"], note: 1 })).toBe(true);
  expect(there({ command: "n", args: ["c"] })).toBe(false);
  expect(there({ command: "n" })).toBe(false);
  expect(there(undefined)).toBe(false);
});

test("an entry that was there before comes back", () => {
  const text = '{ "mcpServers": { "huddle": { "command": "mine" } } }\n';
  const { text: written, made } = makeEdit(jsonConfig, text, entry);
  const changed = written.replace("{ ", '{ "new": 1, ');

  expect(jsonConfig.parse(undoEdit(jsonConfig, changed, made))).toEqual({
    new: 1,
    mcpServers: { huddle: { command: "mine" } },
  });
});

test("what was made around an entry goes with it, unless somebody else uses it by now", () => {
  const { text, made } = makeEdit(jsonConfig, "{}\n", entry);
  expect(jsonConfig.parse(undoEdit(jsonConfig, text, made))).toEqual({});
  const used = jsonConfig.set(text, ["mcpServers", "other"], { command: "x" });
  expect(jsonConfig.parse(undoEdit(jsonConfig, used, made))).toEqual({
    mcpServers: { other: { command: "x" } },
  });
});

test("an object that was there, though empty, stays", () => {
  const text = '{ "mcpServers": {} }\n';
  const { text: written, made } = makeEdit(jsonConfig, text, entry);
  expect(jsonConfig.parse(undoEdit(jsonConfig, written, made))).toEqual({ mcpServers: {} });
});

test("a hook goes beside those of others, and alone it goes with its list", () => {
  const others = '{ "hooks": { "Stop": [{ "hooks": [{ "command": "theirs" }] }] } }\n';
  const { text, made } = makeEdit(jsonConfig, others, hook);
  expect(jsonConfig.parse(text)).toEqual({
    hooks: { Stop: [{ hooks: [{ command: "theirs" }] }, hook.value] },
  });
  expect(jsonConfig.parse(undoEdit(jsonConfig, text, made))).toEqual(jsonConfig.parse(others));

  const alone = makeEdit(jsonConfig, '{"a":1}', hook);
  expect(jsonConfig.parse(undoEdit(jsonConfig, alone.text, alone.made))).toEqual({ a: 1 });
});

test("what is gone already is not missed", () => {
  const { made } = makeEdit(jsonConfig, "{}", entry);
  expect(undoEdit(jsonConfig, '{"a":1}', made)).toBe('{"a":1}');
  const list = makeEdit(jsonConfig, "{}", hook);
  expect(undoEdit(jsonConfig, '{"hooks":{}}', list.made)).toBe('{"hooks":{}}');
});

test("a table of TOML is written as a person would, and inline where the file has them inline", () => {
  const edit = { ...entry, path: ["mcp_servers", "huddle"] };
  expect(makeEdit(tomlConfig, "a = 1", edit).text).toBe(
    'a = 1\n\n[mcp_servers.huddle]\ncommand = "n"\nargs = ["b"]\n',
  );
  const inline = makeEdit(tomlConfig, 'mcp_servers = { x = { command = "x" } }\n', edit);
  expect(tomlConfig.parse(inline.text)).toEqual({
    mcp_servers: { x: { command: "x" }, huddle: entry.value },
  });
  expect(undoEdit(tomlConfig, inline.text, inline.made)).toContain('x = { command = "x" }');
});

test("a table of TOML that stands in the middle by now is cut out, and the rest stays as it is", () => {
  const edit = { ...entry, path: ["mcp_servers", "huddle"] };
  const { text, made } = makeEdit(tomlConfig, "# top\r\na = 1\r\n", edit);
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(undoEdit(tomlConfig, `${text}\r\n[later]\r\nb = 2 # c\r\n`, made)).toBe(
    "# top\r\na = 1\r\n\r\n[later]\r\nb = 2 # c\r\n",
  );
});

test.each([
  '{"a":1}',
  '{ "a": 1 }\n',
  '{\n  "a": 1 // last\n}\n',
  '{\n  "a": 1, // last\n}\n',
  '{\r\n\t"a": 1, /* x */\r\n\t// alone\r\n}\r\n',
  '{\n    "mcpServers": {\n        "other": { "command": "x" }\n    },\n    "hooks": {\n        "Stop": [\n            1\n        ]\n    }\n}',
  '// head\n{\n  "hooks": { "Stop": [1, 2,] },\n  "z": 0\n}\n',
])("%j is the same byte by byte after both kinds of edit were made and undone", (text) => {
  const first = makeEdit(jsonConfig, text, entry);
  const second = makeEdit(jsonConfig, first.text, hook);
  expect(isInEffect(jsonConfig.parse(second.text), entry)).toBe(true);
  expect(isInEffect(jsonConfig.parse(second.text), hook)).toBe(true);
  for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(second.text).toContain(comment);

  expect(undoEdit(jsonConfig, undoEdit(jsonConfig, second.text, second.made), first.made)).toBe(text);
});

test("what is in the way of an entry is refused, not overwritten", () => {
  expect(() => makeEdit(jsonConfig, '{ "mcpServers": null }', entry)).toThrow(/mcpServers/);
  expect(() => makeEdit(jsonConfig, '{ "hooks": { "Stop": {} } }', hook)).toThrow(/hooks.Stop/);
  expect(() => makeEdit(tomlConfig, "mcpServers = 3", entry)).toThrow(/mcpServers/);
});
