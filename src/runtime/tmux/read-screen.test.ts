import { describe, expect, test } from "vitest";
import { capturedScreen, capturedScreens, stateOf } from "../../../test/fakes/captured-screens.js";
import { type CliName, cliNames } from "../vendors/clients.js";
import { vendorOfCli } from "../vendors/vendors.js";
import { findTag } from "./find-tag.js";
import { readScreen } from "./read-screen.js";
import { parseRows, type Screen } from "./screen.js";

/*
 * Screens that were not captured: agents that write what looks like a prompt, a spinner or a dialog, other sizes, drafts
 * that look like nothing. Each starts from a captured screen and changes what an agent or a person can change.
 */

const screens = capturedScreens();

/** How each CLI sets an agent's text: the mark of its first row, and the space before the others. */
const agentText: Record<CliName, { first: string; next: string }> = {
  claude: { first: "● ", next: "  " },
  codex: { first: "• ", next: "  " },
  gemini: { first: "✦ ", next: "  " },
  qwen: { first: "  ◆︎ ", next: "    " },
  droid: { first: "⛬  ", next: "   " },
  opencode: { first: "     ", next: "     " },
  copilot: { first: " ● ", next: "   " },
};

const imitations = {
  "a spinner": [
    "✽ Frolicking… (3s · ↓ 30 tokens)",
    "⠏ Thinking... (esc to cancel, 3s)",
    "⣄ Streaming...  (Press ESC to stop)",
    ".. Just a tick (3s · esc to cancel)",
    "(3s · esc to cancel)",
    "Working (3s • esc to interrupt)",
    "⬝⬝⬝■■■■■  esc interrupt · esc to interrupt",
  ],
  "an empty box": [
    "────────────────────────────────────────",
    "❯ ",
    "────────────────────────────────────────",
    ">   Type your message or @path/to/file",
    "────────────────────────────────────────",
    "› Ask Codex to do anything",
    "╭──────────────────────────────────────╮",
    "│ >                                    │",
    "╰──────────────────────────────────────╯",
    "┃",
    "╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀",
  ],
  "a dialog": ["Do you want to proceed?", "❯ 1. Yes", "› 2. No", "Enter to confirm · Esc to cancel"],
};

/** The screen with more rows above the one at `at`; as many scroll off at the top. */
function insertAbove(screen: Screen, at: number, texts: readonly string[]): Screen {
  const rows = [...screen.rows];
  rows.splice(at, 0, ...parseRows(texts.join("\n")));
  return { ...screen, rows: rows.slice(texts.length) };
}

function says(cli: CliName, screen: Screen) {
  return readScreen(vendorOfCli(cli).screen, screen).state;
}

/** Where the transcript ends: above the box, or above what stands between it and the box. */
function endOfTranscript(cli: CliName, screen: Screen): number {
  const box = vendorOfCli(cli).screen.findBox(screen);
  let row = (box?.top ?? screen.rows.findIndex(({ text }) => /─{20}|Permission|╭/u.test(text))) - 1;
  // The rows that each CLI itself draws below the last answer: hints, spinner, "Worked for 8s".
  while (
    row > 0 &&
    /^\s*$|^ {20,}|for shortcuts|Auto \(|esc |ESC |Worked|^[·✢✳✶✻✽*] |Tip|tmux|⎿|▣/u.test(
      screen.rows[row]?.text ?? "",
    )
  )
    row--;
  return row + 1;
}

describe.each(cliNames)("%s", (cli) => {
  const own = screens.filter(
    (one) => one.cli === cli && /after-turn|^busy|^draft|permission|dialog|tag-sent/.test(one.name),
  );

  test.each(Object.entries(imitations))("agents that write %s change nothing", (_, lines) => {
    const { first, next } = agentText[cli];
    const texts = ["", `${first}${lines[0]}`, ...lines.slice(1).map((line) => next + line)];
    for (const { name, screen } of own) {
      const state = stateOf(cli, name);
      const at = endOfTranscript(cli, screen);
      if (at <= texts.length) continue;
      const said = says(cli, insertAbove(screen, at, texts));
      if (state === "dialog") expect([name, said]).not.toEqual([name, "ready"]);
      else expect([name, said]).toEqual([name, state]);
    }
  });

  test("a shorter pane says the same", () => {
    for (const { name, screen } of screens.filter((one) => one.cli === cli)) {
      const box = vendorOfCli(cli).screen.findBox(screen);
      if (box === undefined) continue;
      // Keep what stands right above the box: spinner, queue.
      for (const dropped of [1, 3, 6]) {
        if (dropped > box.top - 9) continue;
        const shorter = {
          ...screen,
          rows: screen.rows.slice(dropped),
          cursor: { ...screen.cursor, row: screen.cursor.row - dropped },
          height: screen.height - dropped,
        };
        expect([name, says(cli, shorter)]).toEqual([name, stateOf(cli, name)]);
      }
    }
  });

  test("nothing of it is ready while another command runs in front, or in copy mode", () => {
    for (const { screen } of own) {
      for (const command of ["bash", "-zsh", "fish"])
        expect(says(cli, { ...screen, command })).toBe("exited");
      expect(says(cli, { ...screen, dead: true })).toBe("exited");
      if (!screen.command.endsWith("sh")) expect(says(cli, { ...screen, inMode: true })).toBe("copy-mode");
    }
  });

  test("a blank screen is a start", () => {
    const [{ screen } = capturedScreen(cli, "draft")] = own;
    expect(says(cli, { ...screen, rows: parseRows("\n\n\n"), title: "" })).toBe("starting");
  });
});

/** A captured screen with the row at `at` (from the box's top) written again. */
function redraw(cli: CliName, name: string, at: number, ansi: string, column?: number): Screen {
  const { screen } = capturedScreen(cli, name);
  const box = vendorOfCli(cli).screen.findBox(screen);
  const rows = [...screen.rows];
  rows.splice((box?.top ?? 0) + at, 1, ...parseRows(ansi));
  return column === undefined
    ? { ...screen, rows }
    : { ...screen, rows, cursor: { ...screen.cursor, column } };
}

const e = "\x1b";

describe("drafts that look like an empty box", () => {
  test("one character under the cursor", () => {
    expect(says("claude", redraw("claude", "ready-after-turn", 1, `❯\u00a0${e}[7mx${e}[0m`))).toBe("draft");
    expect(says("droid", redraw("droid", "ready-after-turn", 1, `│ > ${e}[7mx${e}[0m     │`))).toBe("draft");
  });

  test("a placeholder typed by the person, with the cursor at its start", () => {
    const typed = `❯\u00a0${e}[7mP${e}[0mress up to edit queued messages`;
    expect(says("claude", redraw("claude", "ready-after-turn", 1, typed))).toBe("draft");
    expect(says("codex", redraw("codex", "ready", 0, `${e}[1m›${e}[0m Ask Codex to do anything`, 2))).toBe(
      "draft",
    );
  });

  test("blank lines", () => {
    expect(says("claude", redraw("claude", "ready-after-turn", 1, "❯\u00a0\n  "))).toBe("draft");
    expect(says("codex", redraw("codex", "ready", 0, `${e}[1m›${e}[0m `))).toBe("draft");
    expect(says("qwen", redraw("qwen", "ready-after-turn", 1, "> \n  "))).toBe("draft");
  });

  test("a prompt that runs commands", () => {
    expect(says("claude", redraw("claude", "ready-after-turn", 1, "!\u00a0"))).toBe("draft");
    expect(says("claude", redraw("claude", "ready-after-turn", 1, "#\u00a0"))).toBe("draft");
    expect(
      says("qwen", redraw("qwen", "ready-after-turn", 1, "!   Type your message or @path/to/file")),
    ).toBe("draft");
  });

  test("a prompt that runs everything without asking takes text all the same", () => {
    expect(
      says("qwen", redraw("qwen", "ready-after-turn", 1, "*   Type your message or @path/to/file")),
    ).toBe("ready");
  });
});

test("claude's question to the person, with its choice in column 0 between two rules, is a dialog", () => {
  const { screen } = capturedScreen("claude", "ready-after-turn");
  const rule = "─".repeat(100);
  const question = [
    rule,
    " ☐ Database",
    "",
    "Which database should it use?",
    "",
    "❯ 1. SQLite",
    "     One file, no server",
    "  2. PostgreSQL",
    "  3. Type something.",
    rule,
    "  4. Chat about this",
    "",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
  ];
  const rows = [...screen.rows.slice(0, 30 - question.length), ...parseRows(question.join("\n"))];
  expect(says("claude", { ...screen, rows })).toBe("dialog");
  // Without the question above it the choice would stand where the prompt does.
  const short = [
    rule,
    "❯ 1. SQLite",
    "  2. PostgreSQL",
    rule,
    "  3. Chat about this",
    "Enter to select · Esc to cancel",
  ];
  expect(says("claude", { ...screen, rows: parseRows(short.join("\n")) })).toBe("dialog");
});

test("claude retries with a draft in the box: still busy", () => {
  const { screen } = capturedScreen("claude", "error-retrying");
  const box = vendorOfCli("claude").screen.findBox(screen);
  const rows = [...screen.rows];
  rows.splice((box?.top ?? 0) + 1, 1, ...parseRows("❯\u00a0half a thought"));
  rows.splice((box?.bottom ?? 0) + 1, 1, ...parseRows("  ⏸ manual mode on"));
  expect(says("claude", { ...screen, rows })).toBe("busy");
});

test("opencode with a side bar beside its box", () => {
  const { screen } = capturedScreen("opencode", "after-queued");
  const box = vendorOfCli("opencode").screen.findBox(screen);
  const rows = screen.rows.map((row, at) =>
    box !== undefined && at >= box.top - 5 && at <= box.bottom
      ? (parseRows(`${row.text.padEnd(100)}   Context 15 tokens`)[0] ?? row)
      : row,
  );
  expect(says("opencode", { ...screen, rows, width: 130 })).toBe("ready");
});

test("a tag that a narrow pane wraps is found", () => {
  const name = "a".repeat(50).toUpperCase();
  const tag = `MSG_${name}_ab12cd34`;
  const screen = redraw(
    "claude",
    "ready-60x20",
    1,
    `❯\u00a0${tag.slice(0, 56)}\n  ${tag.slice(56)}: read it`,
  );
  expect(findTag(screen, vendorOfCli("claude").screen.findBox(screen), tag)).toBe("box");
  expect(says("claude", screen)).toBe("draft");
});
