import { describe, expect, test } from "vitest";
import {
  type CapturedScreen,
  capturedScreen,
  capturedScreens,
} from "../../../test/fakes/captured-screens.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { readScreen } from "./read-screen.js";

const screens = capturedScreens();

function read({ cli, screen }: CapturedScreen) {
  const reading = readScreen(vendorOfCli(cli).screen, screen);
  return reading.state === "dialog" ? reading.asks : undefined;
}

const permissions = screens.filter(({ name }) => name.startsWith("permission"));

test.each(permissions)("$cli/$name: its words, its options and their keys", (captured) => {
  const dialog = read(captured);
  const choice = vendorOfCli(captured.cli).screen.readChoice?.(captured.screen);
  expect({ ...dialog, choice }).toMatchSnapshot();
  const grants = dialog?.options.map((option) => option.grants);
  expect(grants).toContain("once");
  expect(grants).toContain("deny");
  // Either it has a key, or what is chosen can be read.
  for (const { key } of dialog?.options ?? []) expect(key ?? choice).toBeDefined();
});

test("nothing else is a permission dialog: trust, login, loops, menus, the screens of turns", () => {
  const others = screens.filter(({ name }) => !/^permission|^dialog-usage-limit/.test(name));
  expect(others.filter((one) => read(one) !== undefined).map(({ cli, name }) => `${cli}/${name}`)).toEqual(
    [],
  );
});

describe("gemini at its vendor's usage limit", () => {
  const captured = capturedScreen("gemini", "dialog-usage-limit");

  test("is known, and Stop is all that Huddle may choose", () => {
    expect(read(captured)).toMatchObject({
      title: "Usage limit reached for gemini-3.8-flash.",
      act: "dialog",
      options: [],
      atLimit: { label: "Stop", key: "2" },
    });
  });

  test("its words in the output of a tool, or above another dialog, are no such dialog", () => {
    const { rows } = captured.screen;
    const at = rows.findIndex(({ text }) => text.includes("Usage limit reached"));
    const row = (text: string) => ({ cells: Array.from(text, (char) => ({ ...plainCell, char })), text });
    const plainCell = { dim: false, bold: false, inverse: false, fg: "", bg: "" };
    const tool = rows.with(at - 1, row(`│ ✓  Shell cat words.txt${" ".repeat(90)}│`));
    const more = [...rows.filter(({ text }) => text.trim() !== ""), row(" 1. Another question")];
    for (const forged of [tool, more])
      expect(read({ ...captured, screen: { ...captured.screen, rows: forged } })).toBeUndefined();
  });
});

test("no rule reads another CLI's dialog", () => {
  const misread = permissions.flatMap((one) =>
    screens
      .filter(({ cli }) => cli !== one.cli)
      .filter(({ cli }) => vendorOfCli(cli).screen.readDialog(one.screen) !== undefined)
      .map(({ cli }) => `${cli} reads ${one.cli}/${one.name}`),
  );
  expect([...new Set(misread)]).toEqual([]);
});

test("a side bar beside opencode's dialog may change while it stands", () => {
  const captured = capturedScreen("opencode", "permission");
  const beside = (words: string): CapturedScreen => {
    const rows = captured.screen.rows.map(({ cells }) => {
      const bar = Array.from(` ${words}`, (char) => ({ ...plain, char, bg: "48;5;17" }));
      const row = [...cells, ...bar];
      return { cells: row, text: row.map(({ char }) => char).join("") };
    });
    return { ...captured, screen: { ...captured.screen, rows } };
  };
  const plain = { dim: false, bold: false, inverse: false, fg: "" };
  expect(read(beside("~/project"))).toEqual(read(captured));
  expect(read(beside("12 tokens"))).toEqual(read(captured));
});

describe("Huddle's own tools", () => {
  test("are known by an option that no agent can write", () => {
    expect(read(capturedScreen("droid", "permission-own-tool"))).toMatchObject({
      ownTool: true,
      title: "huddle___whoami",
    });
  });

  test("a command and a reason that imitate the dialog are no such tool", () => {
    const forged = read(capturedScreen("droid", "permission-forged"));
    expect(forged).toMatchObject({ tool: "Command", act: "execute" });
    expect(forged?.ownTool).toBeUndefined();
  });
});
