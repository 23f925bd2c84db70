import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { RuntimeError } from "../runtime.js";
import { parseRows, type Screen } from "./screen.js";

/*
 * tmux by its command line: an argv each time, never a shell's words. What is pasted goes by stdin, so that it is in no
 * argv. Several commands go in one call where they must be seen together.
 */

export type PaneInfo = {
  session: string;
  id: string;
  pid: number;
  command: string;
  dead: boolean;
  /** When something was last drawn in its window, in whole seconds of wall time. */
  drawnAt: number;
  exitStatus: number | null;
  exitSignal: string | null;
};

/** A screen with the process behind it: a pane's number is used again when the server was restarted. */
type Capture = { pane: PaneInfo; screen: Screen; ansi: string; listed: readonly string[] };

export type TmuxClient = ReturnType<typeof createTmuxClient>;

const paneFormat = [
  "#{pane_id} #{pane_pid} #{pane_dead} [#{pane_dead_status}] [#{pane_dead_signal}] #{window_activity}",
  "#{session_name} #{pane_current_command}",
].join(" ");
/** Before each line of a list, to tell it from what follows. */
const panesMark = "- ";
const screenFormat =
  "#{cursor_y} #{cursor_x} #{cursor_flag} #{pane_in_mode} #{pane_width} #{pane_height} #{pane_title}";

/** `socket` is a name as for `tmux -L`, or a path as for `-S`; without one it is the person's own server. */
export function createTmuxClient({ socket, program = "tmux" }: { socket?: string; program?: string } = {}) {
  const server = socket === undefined ? [] : socket.includes("/") ? ["-S", socket] : ["-L", socket];

  /** Resolves to what it printed, or to undefined when the server or the target is not there. */
  function run(args: readonly string[], input = ""): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      // -u: rows come as UTF-8 whatever the locale. No configuration: a server of ours does as we say.
      const config = socket === undefined ? [] : ["-f", "/dev/null"];
      const child = execFile(
        program,
        ["-u", ...server, ...config, ...args],
        { env: clientEnvironment(), timeout: 10_000, maxBuffer: 16 * 1024 * 1024 },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else if (absent.test(stderr)) resolve(undefined);
          else reject(failure(error, stderr, program, args));
        },
      );
      child.stdin?.on("error", () => {}); // it ended before it read: its exit says why
      child.stdin?.end(input);
    });
  }

  return {
    socket,
    run,

    /** With `panes`, also that format of every pane of the server, as it was right before the screen. */
    async capture(target: string, panes?: string): Promise<Capture | undefined> {
      const at = ["-t", target];
      const printed = await run(
        chain(
          ...(panes === undefined ? [] : [["list-panes", "-a", "-F", `${panesMark}${panes}`]]),
          ["display-message", "-p", ...at, paneFormat],
          ["display-message", "-p", ...at, screenFormat],
          ["capture-pane", "-p", "-e", ...at],
        ),
      );
      const lines = (printed ?? "").replace(/\n$/, "").split("\n");
      const begin = lines.findIndex((line) => !line.startsWith(panesMark));
      const [pane, screen, ...rows] = lines.slice(begin);
      const info = readPane(pane ?? "");
      if (info === undefined || screen === undefined) return undefined;
      const listed = lines.slice(0, begin).map((line) => line.slice(panesMark.length));
      const ansi = rows.join("\n");
      return { pane: info, screen: readScreenLine(screen, ansi, info), ansi, listed };
    },

    async listPanes(): Promise<PaneInfo[]> {
      const printed = (await run(["list-panes", "-a", "-F", paneFormat])) ?? "";
      return printed.split("\n").flatMap((line) => readPane(line) ?? []);
    },

    /** The active pane of each session whose name begins so, in the order of the names. */
    async listSessionPanes(prefix: string): Promise<PaneInfo[]> {
      const printed = (await run(["list-sessions", "-F", paneFormat])) ?? "";
      const panes = printed.split("\n").flatMap((line) => readPane(line) ?? []);
      return panes
        .filter(({ session }) => session.startsWith(prefix))
        .sort((one, other) => (one.session < other.session ? -1 : 1));
    },

    async paneOf(target: string): Promise<PaneInfo | undefined> {
      return readPane(((await run(["display-message", "-p", "-t", target, paneFormat])) ?? "").trimEnd());
    },

    /**
     * Bracketed, newlines untouched; the buffer is gone afterwards. Only where tmux finds the condition true, after `first`
     * if these keys are given; it looks and acts in one step. The brackets are ours: tmux's `-p` leaves them out until the CLI has asked for
     * them, and a CLI that just drew its box takes each character for a key then (gemini opens its help at a question mark).
     */
    async pasteIf(target: string, text: string, condition: string, first?: string): Promise<ConditionalAct> {
      const buffer = `huddle-${randomUUID()}`;
      const before = first === undefined ? "" : `send-keys -t ${target} ${first} ; `;
      const sendBytes = (bytes: string) => `send-keys -t ${target} -H ${bytes}`;
      const pasteBuffer = `paste-buffer -r -d -b ${buffer} -t ${target}`;
      const paste = `${before}${[sendBytes(pasteBegins), pasteBuffer, sendBytes(pasteEnds)].join(" ; ")}`;
      const act = actIf(target, `#{&&:${isAlive},${condition}}`, paste, `delete-buffer -b ${buffer}`);
      const printed = await run(chain(["load-buffer", "-b", buffer, "-"], act), text);
      if (printed === undefined) await run(["delete-buffer", "-b", buffer]);
      return actOf(printed);
    },

    async sendKeyIf(target: string, key: string, condition: string): Promise<ConditionalAct> {
      return actOf(await run(actIf(target, condition, `send-keys -t ${target} ${key}`)));
    },

    async sendKeys(target: string, ...keys: readonly string[]): Promise<boolean> {
      return (await run(["send-keys", "-t", target, ...keys])) !== undefined;
    },

    async leaveMode(target: string): Promise<void> {
      await run(["send-keys", "-t", target, "-X", "cancel"]).catch((error: unknown) => {
        // "not in a mode": the person left it first.
        if (!(error instanceof Error && /not in a mode/.test(error.message))) throw error;
      });
    },

    /** A session of one pane that runs `argv` as it is. `env` and folder are the command's own business. */
    async newSession(options: {
      name: string;
      argv: readonly [string, string, ...string[]];
      width: number;
      height: number;
      owner: string;
    }): Promise<PaneInfo> {
      const { name, argv, width, height, owner } = options;
      const size = ["-x", String(width), "-y", String(height)];
      const command = argv.map(escapeSeparator);
      const printed = await run(
        chain(
          ["set-option", "-g", "remain-on-exit", "on"],
          ["set-option", "-g", "history-limit", "10000"],
          ["set-option", "-g", "mouse", "on"],
          ["set-option", "-g", "default-terminal", bestTerminal()],
          ["new-session", "-d", "-P", "-F", paneFormat, "-s", name, ...size, "--", ...command],
          ["set-option", "-t", `=${name}:`, ownerOption, owner],
        ),
      );
      const pane = readPane(printed?.trimEnd() ?? "");
      if (pane === undefined)
        throw new RuntimeError("BACKEND_FAILED", `tmux did not start the session ${name}`);
      return pane;
    },

    /** Each session's active pane and whom the session was made for: "" where that was none of us. */
    async listOwnedPanes(): Promise<{ owner: string; pane: PaneInfo }[]> {
      const printed = (await run(["list-sessions", "-F", `[#{${ownerOption}}] ${paneFormat}`])) ?? "";
      return printed.split("\n").flatMap((line) => {
        const [, owner = "", rest = ""] = /^\[([^\]]*)\] (.*)$/u.exec(line) ?? [];
        const pane = readPane(rest);
        return pane === undefined ? [] : [{ owner, pane }];
      });
    },

    async killSession(session: string): Promise<void> {
      await run(["kill-session", "-t", `=${session}`]);
    },
  };
}

const ownerOption = "@huddle_agent";

/** A paste into a pane whose process has ended takes tmux 3.3 down, with every other agent in it. */
const isAlive = "#{==:#{pane_dead},0}";

/** `ESC [ 200 ~` and `ESC [ 201 ~`, around what is pasted. */
const pasteBegins = "1b 5b 32 30 30 7e";
const pasteEnds = "1b 5b 32 30 31 7e";

type ConditionalAct = "done" | "refused" | "absent";

/** One step of the server, in which nobody else's keys are handled. */
function actIf(target: string, condition: string, act: string, otherwise = ""): string[] {
  return ["if-shell", "-F", "-t", target, condition, `${act} ; display-message -p done`, otherwise];
}

function actOf(printed: string | undefined): ConditionalAct {
  if (printed === undefined) return "absent";
  return printed.startsWith("done") ? "done" : "refused";
}

/** Not `error connecting to … (Resource temporarily unavailable)`: that server is there, and busy. */
const absent =
  /no server running|error connecting to .* \((?:No such file|Connection refused)|can't find (?:pane|session|window)|no such (?:pane|session|window)|lost server|server exited|no current (?:target|session|client)|no sessions/i;

/** tmux runs commands of its own (`TMUX` would send it to the wrong server); a person's `TMUX_TMPDIR` says where sockets are. */
function clientEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, SHELL, TMUX_TMPDIR, TMPDIR } = process.env;
  return { PATH, HOME, USER, SHELL, TMUX_TMPDIR, TMPDIR, TERM: "screen-256color", LC_ALL: "C.UTF-8" };
}

/** Some CLIs warn of `screen`; not every system describes `tmux`. */
function bestTerminal(): string {
  const folders = ["/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo", "/usr/share/misc/terminfo"];
  // macOS names the folders by the number of the letter.
  const files = folders.flatMap((folder) => [`${folder}/t/tmux-256color`, `${folder}/74/tmux-256color`]);
  return files.some((file) => existsSync(file)) ? "tmux-256color" : "screen-256color";
}

/** Several commands for one call. */
function chain(...commands: readonly (readonly string[])[]): string[] {
  return commands.flatMap((command, at) => (at === 0 ? command : [";", ...command]));
}

/** tmux takes an argument that ends in `;` as the end of a command. */
function escapeSeparator(argument: string): string {
  return argument.endsWith(";") ? `${argument.slice(0, -1)}\\;` : argument;
}

function failure(error: Error, stderr: string, program: string, args: readonly string[]): RuntimeError {
  if ("code" in error && error.code === "ENOENT") {
    return new RuntimeError(
      "BACKEND_MISSING",
      `${program} is not installed, and agents in panes need it: install the package tmux, or choose another runtime`,
    );
  }
  const said = stderr.trim() || error.message;
  return new RuntimeError("BACKEND_FAILED", `tmux ${args[0] ?? ""} failed: ${said}`, { stderr: said });
}

function readPane(line: string): PaneInfo | undefined {
  const match = /^(%\d+) (\d+) ([01]) \[(\d*)\] \[(\w*)\] (\d*) (\S+) (.*)$/u.exec(line);
  if (match === null) return undefined;
  const [, id = "", pid, dead, status, signal, drawnAt, session = "", command = ""] = match;
  return {
    id,
    pid: Number(pid),
    dead: dead === "1",
    drawnAt: Number(drawnAt),
    // Without either, tmux noticed only that the terminal was closed.
    exitStatus: status ? Number(status) : null,
    exitSignal: signal ? signalName(signal) : null,
    session,
    command,
  };
}

/** tmux tells a number. */
function signalName(signal: string): string {
  return Object.entries(constants.signals).find(([, number]) => String(number) === signal)?.[0] ?? signal;
}

function readScreenLine(line: string, rows: string, pane: PaneInfo): Screen {
  const [y, x, visible, inMode, width, height, ...title] = line.split(" ");
  return {
    rows: parseRows(rows),
    cursor: { row: Number(y), column: Number(x), visible: visible === "1" },
    command: pane.command,
    inMode: inMode !== "0" && inMode !== "",
    dead: pane.dead,
    title: title.join(" "),
    width: Number(width),
    height: Number(height),
  };
}
