import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { patiently } from "./patiently.js";
import { testSocket, tmux } from "./scripted-pane.js";
import { tempFolder } from "./temp-folder.js";

/** `huddle top` in a shell in a pane of a real tmux, as a person runs it. */
export type TopPane = {
  screen(): string;
  /** The screen, once it shows this. */
  shows(text: string | RegExp): Promise<string>;
  keys(...keys: string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Of the program. */
  pid(): number;
  /** How it ended, with all that a terminal keeps: the shell's words are back, the cursor is, and keys are echoed again. */
  ended(): Promise<{ code: number; isRestored: boolean; screen: string }>;
  title(): string;
};

export function openTopPane(
  home: string,
  options: { columns?: number; rows?: number; node?: string[] } = {},
): TopPane {
  const { columns = 80, rows = 24, node = [] } = options;
  const socket = testSocket();
  const folder = tempFolder();
  const file = (name: string) => join(folder, name);
  const program = [
    process.execPath,
    ...node,
    resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js")),
    "top",
    // A busy machine's hub may answer later than a person would wait.
    "--timeout=5m",
  ];
  // A shell with job control, so that Ctrl-Z stops the program and nothing else.
  writeFileSync(
    file("shell"),
    `echo THE SHELL; stty -g > before
sh -c 'echo $$ > pid; exec "$@"' sh ${program.map((word) => `'${word}'`).join(" ")}; code=$?
while [ "$code" = 148 ]; do echo THE SHELL AGAIN; read -r _; fg > /dev/null; code=$?; done
stty -g > after; echo "$code" > code; cat\n`,
  );
  const at = ["-t", "top"];
  const session = ["new-session", "-d", "-s", "top", "-x", String(columns), "-y", String(rows), "-c", folder];
  const shell = ["env", `HUDDLE_HOME=${home}`, "NO_COLOR=1", "bash", "-m", file("shell")];
  tmux(socket, ...session, ...shell);
  tmux(socket, "set-option", "-g", "status", "off");
  const own = (name: string) => tmux(socket, "display-message", "-p", ...at, `#{${name}}`).trim();
  const screen = () => tmux(socket, "capture-pane", "-p", ...at);
  const read = (name: string) => readFileSync(file(name), "utf8").trim();
  return {
    screen,
    shows: (text) =>
      patiently(() => {
        const now = screen();
        const isThere = typeof text === "string" ? now.includes(text) : text.test(now);
        if (!isThere) throw new Error(`the screen does not show ${String(text)}:\n${now}`);
        return now;
      }),
    keys: (...keys) => void tmux(socket, "send-keys", ...at, ...keys),
    type: (text) => void tmux(socket, "send-keys", ...at, "-l", text),
    resize: (width, height) =>
      void tmux(socket, "resize-window", ...at, "-x", String(width), "-y", String(height)),
    pid: () => Number(read("pid")),
    async ended() {
      const code = await patiently(() => Number.parseInt(read("code"), 10));
      const isRestored =
        own("alternate_on") === "0" &&
        own("cursor_flag") === "1" &&
        own("wrap_flag") === "1" &&
        read("before") === read("after");
      return { code, isRestored, screen: screen() };
    },
    title: () => own("pane_title"),
  };
}
