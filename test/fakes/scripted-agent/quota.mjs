#!/usr/bin/env node
// An agent with a screen like gemini's, whose vendor's usage limit is reached: each prompt, and F6, opens the dialog about it. `2` stops,
// unless it was started with --keeps. Every key that the dialog took is written to $SCRIPTED_HOME/answered, one JSON string a line.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { readInput } from "./read-input.mjs";

const home = process.env["SCRIPTED_HOME"] ?? process.cwd();
const width = 100;
/** @type {string[]} */
const sent = [];
let draft = "";
let asks = false;
/** @type {string | undefined} */
let pasting;

const framed = (/** @type {string} */ text) => `│ ${text.padEnd(width - 4)} │`;

function draw() {
  const low = asks
    ? [
        `╭${"─".repeat(width - 2)}╮`,
        framed(""),
        framed("Usage limit reached for gemini-3.8-flash."),
        framed("Access resets at 3:05 PM."),
        framed("/model to switch models."),
        framed(""),
        framed("● 1. Keep trying"),
        framed("  2. Stop"),
        framed(""),
        `╰${"─".repeat(width - 2)}╯`,
      ]
    : [
        "─".repeat(width),
        " Shift+Tab to accept edits",
        "",
        draft === "" ? " >   Type your message or @path/to/file" : ` > ${draft}`,
        "",
        " workspace (/directory)",
      ];
  const rows = [...sent.flatMap((text) => [` > ${text}`, ""]), ...low];
  // The cursor stays in the text, and in dialogs at the beginning of a row.
  const place = asks ? "" : `\x1b[${rows.length - 2};${draft.length + 4}H`;
  process.stdout.write(
    `\x1b]2;${asks ? "✦  Working… (project)" : "◇  Ready (project)"}\x07\x1b[H\x1b[2J${rows.join("\r\n")}${place}`,
  );
}

/** @param {string} part */
function press(part) {
  if (part === "\x1b[200~") pasting = "";
  else if (part === "\x1b[201~") [draft, pasting] = [draft + (pasting ?? ""), undefined];
  else if (pasting !== undefined) pasting += part;
  else if (part === "\x1b[17~") asks = true;
  else if (asks) {
    if (!/^[12]$/.test(part)) return;
    appendFileSync(join(home, "answered"), `${JSON.stringify(part)}\n`);
    if (part === "2") asks = process.argv.includes("--keeps");
  } else if (part === "\r") {
    sent.push(draft);
    [draft, asks] = ["", true];
  } else if (part >= " ") draft += part;
}

readInput(process.stdin, (data) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
  for (const [part] of data.matchAll(/\x1b\[[\d;]*[A-Za-z~]|[\s\S]/gu)) press(part);
  draw();
});
process.stdin.setRawMode?.(true);
process.stdout.write("\x1b[?2004h");
draw();
process.stdin.resume();
