#!/usr/bin/env node
// An agent with a screen like droid's, in which the choice in a dialog is moved and confirmed: F6 opens one about a command, F7 one
// about a tool of Huddle's. What was confirmed is written to $SCRIPTED_HOME/answered, one JSON string a line.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { readInput } from "./read-input.mjs";

const write = (/** @type {string} */ text) => void process.stdout.write(text);
const home = process.env["SCRIPTED_HOME"] ?? process.cwd();
const width = 80;

const dialogs = {
  command: {
    head: ["  Command to approve · medium risk", "  ↳ touch made.txt"],
    labels: ["Yes, allow", "Yes, and always allow medium impact commands", "No, cancel"],
  },
  tool: {
    head: ["  MCP tool to approve · low impact", "  ↳ huddle___send_message"],
    labels: [
      "Yes, allow",
      "Yes, and always allow low impact commands",
      "Always allow send_message",
      'Always allow all "huddle" tools',
      "No, cancel",
    ],
  },
};

let draft = "";
/** @type {{ head: string[], labels: string[] } | undefined} */
let dialog;
let chosen = 0;

/** @param {string[]} rows */
const boxed = (rows) => [
  `╭${"─".repeat(width - 2)}╮`,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are styles
  ...rows.map((row) => `│${row}${" ".repeat(width - 2 - row.replace(/\x1b\[\d+m/g, "").length)}│`),
  `╰${"─".repeat(width - 2)}╯`,
];

function draw() {
  const low =
    dialog === undefined
      ? [...boxed([` > ${draft}`]), "  ? for help"]
      : [
          ...dialog.head,
          ...boxed(
            dialog.labels.map((label, at) => (at === chosen ? `  \x1b[1m${label}\x1b[22m` : `  ${label}`)),
          ),
          "  ↑↓ navigate   Enter select   Esc cancel",
        ];
  write(`\x1b]2;⛬ scripted\x07\x1b[H\x1b[2J\x1b[?25l${["⛬  hello", "", ...low].join("\r\n")}`);
}

/** @param {string} part */
function press(part) {
  if (part === "\x1b[17~") [dialog, chosen] = [dialogs.command, 0];
  else if (part === "\x1b[18~") [dialog, chosen] = [dialogs.tool, 0];
  else if (dialog === undefined) draft += part >= " " ? part : "";
  else if (part === "\x1b[A") chosen = Math.max(0, chosen - 1);
  else if (part === "\x1b[B") chosen = Math.min(dialog.labels.length - 1, chosen + 1);
  else if (part === "\r") {
    appendFileSync(join(home, "answered"), `${JSON.stringify(dialog.labels[chosen])}\n`);
    dialog = undefined;
  }
}

readInput(process.stdin, (data) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
  for (const [part] of data.matchAll(/\x1bO?\[?[\d;]*[A-Za-z~]|[\s\S]/gu))
    press(part.replace("\x1bO", "\x1b["));
  draw();
});
process.stdin.setRawMode?.(true);
draw();
process.stdin.resume();
