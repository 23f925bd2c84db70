import { expect, test } from "vitest";
import { quoteArgv, readAsked } from "./read-asked.js";

const nothing = { commands: [], changes: [], words: undefined, always: [], rest: [] };
const linesOf = (asked: ReturnType<typeof readAsked>) =>
  asked.changes.map(({ path, what, lines }) => [
    path,
    what,
    ...lines.map(({ kind, text }) => `${{ same: " ", old: "-", new: "+", gap: "~" }[kind]}${text}`),
  ]);

test("a command of claude's stream, with what it says besides and the rule of always", () => {
  const asked = readAsked({
    input: { command: "npm test", description: "Runs the tests", timeout: 1000 },
    always: [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "npm test:*" }],
        behavior: "allow",
        destination: "localSettings",
      },
    ],
  });

  expect(asked).toEqual({
    ...nothing,
    commands: ["npm test"],
    always: ["Bash(npm test:*) (kept in localSettings)"],
    rest: [
      { name: "description", text: "Runs the tests" },
      { name: "timeout", text: "1000" },
    ],
  });
});

test("an edit over ACP is shown once, though it is told twice, with the line where it is", () => {
  const asked = readAsked({
    input: { file_path: "/p/a.ts", old_string: "a\nb", new_string: "a\nc" },
    locations: [{ path: "/p/a.ts", line: 41 }],
    content: [{ type: "diff", path: "/p/a.ts", oldText: "a\nb", newText: "a\nc" }],
  });

  expect(linesOf(asked)).toEqual([["/p/a.ts", "edit", " a", "-b", "+c"]]);
  expect(asked.changes[0]?.lines[1]).toMatchObject({ was: 42 });
  expect(asked.rest).toEqual([]);
});

test("an input that says something else than the diff beside it is shown, too", () => {
  const asked = readAsked({
    input: { file_path: "/p/a.ts", old_string: "b", new_string: "rm -rf" },
    content: [{ type: "diff", path: "/p/a.ts", oldText: "b", newText: "c" }],
  });

  expect(linesOf(asked)).toEqual([
    ["/p/a.ts", "edit", "-b", "+c"],
    ["/p/a.ts", "edit", "-b", "+rm -rf"],
  ]);
});

test("a file that is written whole, several edits, and a patch of codex", () => {
  expect(linesOf(readAsked({ input: { file_path: "n.txt", content: "x\n" } }))).toEqual([
    ["n.txt", "write", "+x"],
  ]);
  expect(
    linesOf(readAsked({ input: { file_path: "m", edits: [{ old_string: "1", new_string: "2" }] } })),
  ).toEqual([["m", "edit", "-1", "+2"]]);
  expect(
    linesOf(
      readAsked({
        input: {
          changes: {
            "a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-x\n+y\n" },
            "b.ts": { type: "add", content: "new" },
            "c.ts": { type: "delete", content: "old" },
          },
        },
      }),
    ),
  ).toEqual([
    ["a.ts", "edit", "~@@ -1 +1 @@", "-x", "+y"],
    ["b.ts", "create", "+new"],
    ["c.ts", "delete", "-old"],
  ]);
});

test("several uses of tools at once, and a screen's own words", () => {
  expect(
    readAsked([
      { tool: "Execute", input: { command: "ls" }, details: { type: "exec" } },
      { tool: "Execute", input: { command: "pwd" } },
    ]),
  ).toMatchObject({
    commands: ["ls", "pwd"],
    rest: [{ name: "tool", text: "Execute" }, { name: "details" }],
  });
  expect(readAsked({ words: "Run it?\n1. Yes" })).toEqual({ ...nothing, words: "Run it?\n1. Yes" });
});

test.each([
  [{ input: { file_path: 7, content: "x" } }, ["file_path", "content"]],
  [{ input: "text" }, ["input"]],
  [{ begins: "{", characters: 9 }, ["begins", "characters"]],
  [{ content: [{ type: "strange", x: 1 }] }, ["content"]],
  ["only text", ["details"]],
  [{ input: { command: { sh: "rm" } } }, ["command"]],
  [{ input: { changes: { a: { type: "odd" } } } }, ["changes"]],
])("what is not known is not left out: %j", (details, names) => {
  expect(readAsked(details).rest.map(({ name }) => name)).toEqual(names);
});

test("an argv is written as one would type it", () => {
  expect(readAsked({ input: { command: ["bash", "-lc", "echo 'a b'"] } }).commands).toEqual([
    `bash -lc 'echo '\\''a b'\\'''`,
  ]);
  expect(quoteArgv(["npm", "run", "a b"])).toBe("npm run 'a b'");
});
