#!/usr/bin/env node
// A scripted agent with a screen of its own, drawn as claude or codex draw theirs: raw mode, bracketed paste, an input
// box. What it does is written in its prompts (see directives.mjs); what it does with keys is a fault that is asked for:
//   --guise claude|codex   whose screen
//   --slow-box MS          a paste shows only after that long
//   --held-box             a paste shows only once there is a file `show` in $SCRIPTED_HOME
//   --slow-echo MS         what is typed or pasted is taken at once, and shows only after that long
//   --drops N              the first N pastes are lost, and nothing is drawn
//   --torn MS              it draws in two parts, so long apart: first the cursor goes to the upper left
//   --swallow N            the first N Enters of each line do nothing
//   --completes            the first Enter on a line that ends in `@src` makes that `@src/main.ts`
//   --dialog WORDS         asks something at the start, and goes on when it is answered
//   --keeps-dialog         Escape does nothing in a dialog
//   --starting MS          draws nothing for that long
//   --loading MS           and meanwhile a dot, so often
//   --lose                 a sent prompt is forgotten
//   --late MS              a sent prompt leaves the box, and shows and begins its turn only after that long
//   --freeze FILE          while that file is there, it takes no input; what came meanwhile it takes then
//   --fetches              told that mail waits, it calls check_messages and does what is in it
//   --keeps-server         its MCP server is started once, and joins; else it is started for each call
//   --unsend               an interrupted prompt that was not answered yet goes back into the box
// F5 opens a dialog, F6 a permission dialog about another command. Every prompt that was sent is written to $SCRIPTED_HOME/sent, one JSON string a line; every paste
// that arrived to `pasted`, and every key in a dialog to `answered`. A line that names a file (`read the file PATH`) is obeyed
// as if its text had been typed; what was in it, and its mode, is written to `read`.
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callMcpTool, openMcpServer } from "./call-mcp.mjs";
import { noteEnd, obey } from "./directives.mjs";
import { limitWords } from "./limit.mjs";
import { readInput } from "./read-input.mjs";
import { beginSession, keepSession, loadSession } from "./sessions.mjs";

const args = process.argv.slice(2);
const flag = (/** @type {string} */ name) => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : (args[at + 1] ?? "");
};
const has = (/** @type {string} */ name) => args.includes(`--${name}`);
const home = process.env["SCRIPTED_HOME"] ?? process.cwd();
const write = (/** @type {string} */ text) => void process.stdout.write(text);

const resume = flag("resume");
const session =
  resume === undefined ? beginSession(flag("session-id")) : (loadSession(resume) ?? lost(resume));
const server = readServer();
const kept = has("keeps-server") ? await openMcpServer(server) : undefined;
await kept?.call("list_agents", {});
if (server !== undefined) void listTools(server).catch(() => {});
const callTool = (/** @type {string} */ name, /** @type {unknown} */ input) =>
  kept === undefined ? callMcpTool(server, name, input) : kept.call(name, input);

/** What was said, as rows without their mark; `user` rows are prompts. @type {{ by: "user" | "agent", text: string }[]} */
const transcript = [];
let draft = "";
/** @type {string | undefined} */
let dialog = flag("dialog");
/** What a permission dialog is about. @type {string | undefined} */
let command;
/** @type {((answer: string) => void) | undefined} */
let answered;
/** @type {AbortController | undefined} */
let turn;
let spoke = false;
let swallowed = 0;
let dropped = 0;
let tick = 0;
const note = "";
/** Before rows that are claude's own, and not its model's. */
const ofCli = "  ⎿  ";

/** @param {string} id @returns {never} */
function lost(id) {
  write(`No conversation found with session ID: ${id}\n`);
  process.exit(1);
}

/**
 * As a CLI does at its start: Huddle types nothing before that, or waits for it in vain. A server that fails is no reason not to start.
 * @param {{ command: string, args: readonly string[] }} its
 */
async function listTools(its) {
  const opened = kept ?? (await openMcpServer(its));
  await opened.list();
  if (opened !== kept) await opened.close();
}

function readServer() {
  const file = flag("mcp-config");
  if (file === undefined) return undefined;
  return JSON.parse(readFileSync(file, "utf8")).mcpServers.huddle;
}

/** @param {string} text @param {string} first @param {string} next */
function wrap(text, first, next) {
  const width = (process.stdout.columns || 80) - 4;
  const rows = text.split("\n").flatMap((row) => row.match(new RegExp(`.{1,${width}}`, "gu")) ?? [""]);
  return rows.map((row, at) => (at === 0 ? first : next) + row);
}

const guises = {
  claude: {
    user: ["\x1b[48;5;237m❯ ", "  ", "\x1b[0m"],
    agent: ["● ", "  ", ""],
    busy: () => ["", `${"·✢✳✶✻✽"[tick % 6]} Pondering… (${tick}s · ↓ 3 tokens)`],
    /** @param {number} width */
    box: (width) => [
      `\x1b[38;5;244m${"─".repeat(width)}\x1b[39m`,
      ...(draft === ""
        ? [`❯\u00a0\x1b[7m \x1b[0m`]
        : draft.startsWith("!")
          ? wrap(draft.slice(1), "!\u00a0", "  ")
          : wrap(draft, "❯\u00a0", "  ")),
      `\x1b[38;5;244m${"─".repeat(width)}\x1b[39m`,
      `  ⏸ manual mode on${turn !== undefined && draft === "" ? " · esc to interrupt" : " · ? for shortcuts"}`,
    ],
    title: () => "✳ Claude Code",
    cursor: false,
    cancelled: "  ⎿  Interrupted · What should Claude do instead?",
    /** @param {string} words */
    dialog: (words) => [
      "─".repeat(60),
      ` ${words}`,
      "",
      " ❯ 1. No",
      "   2. Yes",
      "",
      " Enter to confirm · Esc to cancel",
    ],
    /** @param {string} command */
    permission: (command) => [
      "─".repeat(60),
      " Bash command",
      "",
      "╌".repeat(60),
      ` ${command}`,
      "╌".repeat(60),
      " Do you want to proceed?",
      " ❯ 1. Yes",
      "   2. Yes, and always allow access to /project from this project",
      "   3. No",
      "",
      " Esc to cancel · Tab to amend",
    ],
    denies: "3",
  },
  codex: {
    user: ["\x1b[1;2m› \x1b[0m\x1b[48;5;8m", "  ", "\x1b[0m"],
    agent: ["• ", "  ", ""],
    busy: () => [],
    box: () => [
      ...(draft === ""
        ? ["\x1b[1m›\x1b[0m \x1b[2mAsk Codex to do anything\x1b[0m"]
        : wrap(draft, "\x1b[1m›\x1b[0m ", "  ")),
      "",
      "  scripted default · ~/project",
    ],
    title: () => {
      if (command !== undefined) return "[ . ] Action Required | project";
      return turn === undefined ? "project" : `${"⠋⠙⠹⠸"[tick % 4]} project`;
    },
    cursor: true,
    cancelled: "■ Conversation interrupted - use /feedback if something went wrong",
    /** @param {string} words */
    dialog: (words) => [
      `  ${words}`,
      "",
      "› 1. Yes, proceed (y)",
      "  2. No (esc)",
      "",
      "  Press enter to confirm or esc to cancel",
    ],
    /** @param {string} command */
    permission: (command) => [
      "  Would you like to run the following command?",
      "",
      `  $ ${command}`,
      "",
      "› 1. Yes, proceed (y)",
      "  2. No, and tell Codex what to do differently (esc)",
      "",
      "  Press enter to confirm or esc to cancel",
    ],
    denies: "2",
  },
};
const guise = guises[/** @type {"claude" | "codex"} */ (flag("guise") ?? "claude")];

function draw() {
  const width = process.stdout.columns || 80;
  const height = process.stdout.rows || 24;
  const said = transcript.flatMap(({ by, text }) => {
    const [first = "", next = "", end = ""] = by === "user" ? guise.user : guise.agent;
    if (text === guise.cancelled || text.startsWith(ofCli)) return [text, ""];
    return [...wrap(text, first, next).map((row) => row + end), ""];
  });
  const low =
    command !== undefined
      ? guise.permission(command)
      : dialog === undefined
        ? guise.box(width)
        : guise.dialog(dialog);
  const spinner = turn === undefined || dialog !== undefined ? [] : guise.busy();
  const rows = [...said, ...spinner, ...(note === "" ? [] : [note]), ""].slice(-(height - low.length));
  const top = [...Array(Math.max(0, height - low.length - rows.length)).fill(""), ...rows];
  write(`\x1b]2;${guise.title()}\x07\x1b[H`);
  const visible = guise.cursor && dialog === undefined;
  const lines = wrap(draft, "", "");
  const last = top.length + (guise.cursor ? 0 : 1) + lines.length;
  const rest = () => {
    write(`\x1b[H${[...top, ...low].map((row) => `${row}\x1b[0m\x1b[K`).join("\r\n")}`);
    write(`\x1b[${last};${3 + (lines.at(-1)?.length ?? 0)}H${visible ? "\x1b[?25h" : "\x1b[?25l"}`);
  };
  if (has("torn")) setTimeout(rest, Number(flag("torn")));
  else rest();
}

/** @param {string} text */
async function send(text) {
  appendFileSync(join(home, "sent"), `${JSON.stringify(text)}\n`);
  const mine = new AbortController();
  turn = mine;
  spoke = false;
  const history = [...session.prompts];
  session.prompts.push(text);
  keepSession(session);
  transcript.push({ by: "user", text });
  let open = false;
  draw();
  const words = readNamed(text) ?? (await fetched(text));
  await obey(words.replace(/^\S+: /, ""), {
    history,
    cancelled: mine.signal,
    say(said) {
      spoke = true;
      const last = transcript.at(-1);
      if (open && last?.by === "agent") last.text += said;
      else transcript.push({ by: "agent", text: said });
      open = true;
      draw();
    },
    think: () => {},
    callTool,
    askPermission: () => ask("a permission", "rm -rf build"),
    own: {
      wait: (ms) => new Promise((done) => setTimeout(done, Number(ms))),
      silent: () => new Promise((done) => mine.signal.addEventListener("abort", () => done(undefined))),
      limit(seconds) {
        const words = limitWords(seconds);
        if (words === undefined) return;
        transcript.push({ by: "agent", text: `${ofCli}${words}` });
        mine.abort();
      },
      error: () => void transcript.push({ by: "agent", text: "API Error: 500 scripted failure" }),
    },
  });
  if (turn !== mine) return;
  noteEnd(words);
  turn = undefined;
  draw();
}

/** @param {string} line */
function readNamed(line) {
  const [, path] = /read the file (\S+)$/.exec(line) ?? [];
  if (path === undefined) return undefined;
  const text = readFileSync(path, "utf8");
  const mode = (statSync(path).mode & 0o777).toString(8);
  appendFileSync(join(home, "read"), `${JSON.stringify({ path, mode, text })}\n`);
  return text;
}

/** What a line says, with the mail that it only points at. @param {string} line @returns {Promise<string>} */
async function fetched(line) {
  if (!has("fetches") || !line.includes("call check_messages")) return line;
  const { messages } = JSON.parse(await callTool("check_messages", {}));
  return [line, ...messages.map((/** @type {{ content: string }} */ { content }) => content)].join("\n");
}

/** @param {string} words @param {string} [about] @returns {Promise<string>} */
function ask(words, about) {
  dialog = words;
  command = about;
  draw();
  return new Promise((resolve) => {
    answered = resolve;
  });
}

function interrupt() {
  if (turn === undefined) return;
  turn.abort();
  turn = undefined;
  const last = transcript.at(-1);
  if (has("unsend") && !spoke && last?.by === "user") {
    draft = last.text;
    transcript.pop();
  } else transcript.push({ by: "agent", text: guise.cancelled });
}

/** @param {string} key */
function press(key) {
  if (dialog !== undefined) {
    if (key !== "\r" && !/^[123]$/.test(key) && (key !== "\x1b" || has("keeps-dialog"))) return;
    appendFileSync(join(home, "answered"), `${JSON.stringify(key)}\n`);
    const isDenied = key === "\x1b" || (command !== undefined && key === guise.denies);
    dialog = undefined;
    command = undefined;
    if (isDenied) interrupt();
    answered?.(key);
    answered = undefined;
    return;
  }
  if (key === "\r") {
    if (draft === "") return;
    if (swallowed < Number(flag("swallow") ?? 0)) swallowed += 1;
    else if (has("completes") && draft.endsWith("@src")) draft += "/main.ts ";
    else {
      const text = draft;
      draft = "";
      swallowed = 0;
      if (has("late")) setTimeout(() => void send(text), Number(flag("late")));
      else if (!has("lose")) void send(text);
    }
  } else if (key === "\x1b") interrupt();
  // As in a shell: the line up to the cursor, not those before it.
  else if (key === "\x15") draft = draft.slice(0, draft.lastIndexOf("\n") + 1);
  else if (key === "\n") draft += "\n";
  else if (key === "\x03") {
    if (draft === "") process.exit(0);
    draft = "";
  } else if (key === "\x7f") draft = draft.slice(0, -1);
  else if (key >= " ") draft += key;
}

/** @type {string | undefined} */
let pasting;
/** @type {string[]} */
let frozen = [];
const isFrozen = () => has("freeze") && existsSync(flag("freeze") ?? "");
readInput(process.stdin, (data) => {
  if (isFrozen() || frozen.length > 0) frozen.push(data);
  else take(data);
});
if (has("freeze")) {
  setInterval(() => {
    if (isFrozen()) return;
    const waiting = frozen;
    frozen = [];
    for (const data of waiting) take(data);
  }, 20);
}

/** @param {string} data */
function take(data) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are keys
  for (const [part] of data.matchAll(/\x1b\[20[01]~|\x1b\[[IO]|\x1b\[[\d;]*[A-Za-z~]|[\s\S]/gu)) {
    if (part === "\x1b[200~") pasting = "";
    else if (part === "\x1b[201~") {
      const text = (pasting ?? "").replaceAll("\r", "\n");
      pasting = undefined;
      appendFileSync(join(home, "pasted"), `${JSON.stringify(text)}\n`);
      setTimeout(() => void paste(text), Number(flag("slow-box") ?? 0));
    } else if (pasting !== undefined) pasting += part;
    else if (part === "\x1b[15~") void ask("Is this a good time?");
    else if (part === "\x1b[17~") void ask("a permission", "git push");
    else if (!part.startsWith("\x1b[")) press(part);
  }
  setTimeout(draw, Number(flag("slow-echo") ?? 0));
}

/** @param {string} text */
async function paste(text) {
  if (dropped++ < Number(flag("drops") ?? 0)) return;
  while (has("held-box") && !existsSync(join(home, "show"))) await sleep(20);
  if (dialog === undefined) draft += text;
  setTimeout(draw, Number(flag("slow-echo") ?? 0));
}

process.stdout.on("resize", draw);
process.on("exit", () => write("\x1b[?2004l\x1b[?1049l\x1b[?25h"));
process.stdin.setRawMode?.(true);
const loading = has("loading") ? setInterval(() => write("."), Number(flag("loading"))) : undefined;
setTimeout(
  () => {
    clearInterval(loading);
    write("\x1b[?1049h\x1b[?2004h");
    if (resume !== undefined)
      transcript.push({ by: "agent", text: `resumed with ${session.prompts.length} prompts` });
    draw();
    setInterval(() => {
      if (turn === undefined) return;
      tick += 1;
      draw();
    }, 100);
  },
  Number(flag("starting") ?? 0),
);
process.stdin.resume();
