import { describe, expect, test } from "vitest";
import { capturedScreen, capturedScreens } from "../../../test/fakes/captured-screens.js";
import { type CliName, cliNames } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { readScreen } from "./read-screen.js";
import type { Row, Screen } from "./screen.js";
import { sentWith, watchSent } from "./sent-with.js";

const tag = "MSG_JANUS_DEV_ab12cd34";
const five = `${tag}: line 1 of 5 line 2 of 5 line 3 of 5 line 4 of 5 line 5 of 5`;
const lines: Readonly<Record<string, string>> = {
  "tag-sent": `${tag}: please check the build`,
  "tag5-sent": five,
  "copilot/tag-sent": `${tag}: please check the build <<say ECHO: ${tag}: please check the build>>`,
  "copilot/tag5-sent": `${tag}: line 1 line 2 line 3 line 4 line 5 <<say ok five>>`,
};

const captured = capturedScreens().flatMap(({ cli, name, screen }) => {
  const line = lines[`${cli}/${name}`] ?? lines[name];
  return line === undefined ? [] : [{ cli, name, screen, line }];
});

function whatWith(cli: CliName, screen: Screen, line: string): string | undefined {
  const rule = vendorOfCli(cli).screen;
  return sentWith(rule, screen, rule.findBox(screen), { line, tag });
}

/** The screen as it is when other words were sent, in the place of those that stand in the first row that has them. */
function edited(screen: Screen, from: string, to: string): Screen {
  const at = screen.rows.findIndex(({ text }) => text.includes(from));
  const edit = ({ cells, text }: Row): Row => {
    const start = Array.from(text.slice(0, text.indexOf(from))).length;
    const [before, after] = [cells.slice(0, start), cells.slice(start + Array.from(from).length)];
    const style = cells[start];
    if (style === undefined) throw new Error(`nothing at ${start}`);
    // What stands at the right edge stays there.
    const longer = to.length - from.length;
    const gap = after.findIndex((_, index) =>
      after.slice(index, index + longer).every(({ char }) => char === " "),
    );
    if (gap >= 0 && after.length > gap + longer) after.splice(gap, longer);
    const now = [...before, ...Array.from(to, (char) => ({ ...style, char })), ...after];
    return { cells: now, text: now.map(({ char }) => char).join("") };
  };
  return { ...screen, rows: screen.rows.map((row, index) => (index === at ? edit(row) : row)) };
}

test("every CLI has a screen with a sent line", () => {
  expect([...new Set(captured.map(({ cli }) => cli))].sort()).toEqual([...cliNames].sort());
});

describe.each(captured)("$cli, $name", ({ cli, screen, line }) => {
  test("our line alone", () => {
    expect(whatWith(cli, screen, line)).toBe("");
  });

  test("words before it", () => {
    expect(whatWith(cli, edited(screen, tag, `my own ${tag}`), line)).toBe("my own");
  });

  test("words after its end, and within it", () => {
    const end = ["line 5", "build>>", "build"].find((words) => line.includes(words)) ?? "";
    const more = edited(screen, end, `${end}zq7`);
    expect(whatWith(cli, more, line)).toBe("zq7");
  });

  test("a line that is shown shortened tells nothing", () => {
    expect(whatWith(cli, screen, `${line} and some words that the CLI left away`)).toBe("");
  });
});

test("what the person sent by itself, and what the agent repeats, is not with our line", () => {
  for (const { cli, name, screen } of capturedScreens()) {
    if (lines[name] !== undefined) continue;
    expect.soft(whatWith(cli, screen, `${tag}: something else`) ?? "", `${cli}/${name}`).toBe("");
  }
});

test("a word such as @file may have been completed", () => {
  const { screen } = capturedScreen("claude", "tag5-sent");
  const now = edited(screen, "line 1 of 5", "look at @src/main.ts");
  const rest = "line 2 of 5 line 3 of 5 line 4 of 5 line 5 of 5";
  expect(whatWith("claude", now, `${tag}: look at @src ${rest}`)).toBe("");
  expect(whatWith("claude", now, `${tag}: look at ${rest}`)).toBe("@src/main.ts");
});

test("what stands behind a last word such as @file is more than it, wherever its row ends", () => {
  const { screen } = capturedScreen("claude", "tag5-sent");
  const rows = (first: string, next: string) =>
    edited(edited(edited(screen, "line 1 of 5", first), "line 2 of 5", next), "line 3 of 5", "");
  const line = `${tag}: look at @src`;
  expect(whatWith("claude", rows("look at @src/main.ts", ""), line)).toBe("");
  expect(whatWith("claude", rows("look at @src", "/main.ts"), line)).toBe("");
  expect(whatWith("claude", rows("look at @src/main.ts my draft", ""), line)).toBe("my draft");
  expect(whatWith("claude", rows("look at @src my", "draft"), line)).toBe("my draft");
});

test("it is told once, and only of what two looks in a row show", () => {
  const rule = vendorOfCli("codex").screen;
  const { screen } = capturedScreen("codex", "tag-sent");
  const told: string[] = [];
  const seen = watchSent(rule, { line: `${tag}: please check the build`, tag }, (words) => told.push(words));
  const look = (now: Screen) => seen({ reading: readScreen(rule, now), screen: now, info: undefined });
  const mixed = edited(screen, "build", "build zq7");

  look(edited(screen, "build", "build z"));
  look(mixed);
  expect(told).toEqual([]);
  for (let n = 0; n < 3; n += 1) look(mixed);
  expect(told).toEqual(["zq7"]);
});

test("the row of a tool that follows a sent message at once is none of it", () => {
  const rule = vendorOfCli("qwen").screen;
  const { screen } = capturedScreen("qwen", "permission");
  const line =
    'CALL run_shell_command {"command":"touch notes.txt; sleep 7","description":"wait a little","is_background":false}';
  expect(sentWith(rule, screen, rule.findBox(screen), { line, tag: "CALL run_shell_command" })).toBe("");
});

test("while a dialog stands where the box was, what stands beside the message is nobody's", () => {
  const rule = vendorOfCli("opencode").screen;
  const { screen } = capturedScreen("opencode", "tag-sent");
  const line = `${tag}: please check the build`;
  const told: string[] = [];
  const seen = watchSent(rule, { line, tag }, (words) => told.push(words));
  const beside = edited(screen, line, `${line}          Context`);
  for (let n = 0; n < 3; n += 1)
    seen({
      reading: { state: "dialog", words: "Allow once?", asks: undefined },
      screen: beside,
      info: undefined,
    });
  expect(told).toEqual([]);
});
