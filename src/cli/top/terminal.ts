import type { CliIo } from "../cli-io.js";
import { createFullScreen } from "./full-screen.js";
import { createKeyReader, type Key } from "./keys.js";
import type { Size } from "./layout.js";

/*
 * The terminal while a program has all of it: `ours` from the beginning, `lent` while another program runs in it or the
 * shell has it, `returned` at the end. However the program ends, even by a mistake of its own, the terminal is returned.
 */
export type Terminal = {
  size(): Size;
  draw(lines: readonly string[]): void;
  forget(): void;
  /** Gives it to somebody else until the promise is settled. */
  lend<T>(to: () => Promise<T>): Promise<T>;
  /** Ctrl-Z: gives it to the shell, until the person comes back. */
  suspend(): void;
  close(): void;
};

type TerminalEvents = {
  /** The keys that came together. */
  keys(keys: readonly Key[]): void;
  resize(): void;
};

/** Longer than the parts of one key are apart, shorter than anybody notices. */
const ESCAPE_MS = 50;
const ending = ["SIGTERM", "SIGHUP"] as const;

export function openTerminal({ stdin, stdout }: CliIo, on: TerminalEvents): Terminal {
  const screen = createFullScreen(stdout);
  const reader = createKeyReader();
  let has: "ours" | "lent" | "returned" = "lent";
  let waiting: NodeJS.Timeout | undefined;

  function take(): void {
    has = "ours";
    stdin.setRawMode?.(true);
    stdin.on?.("data", read);
    stdin.resume?.();
    screen.enter();
  }

  function give(next: "lent" | "returned"): void {
    if (has === "returned") return;
    if (has === "ours") {
      clearTimeout(waiting);
      screen.leave();
      stdin.off?.("data", read);
      stdin.pause?.();
      stdin.setRawMode?.(false);
    }
    has = next;
  }

  function read(chunk: Uint8Array | string): void {
    clearTimeout(waiting);
    const keys = reader.read(chunk);
    if (reader.isWaiting()) waiting = setTimeout(() => on.keys(reader.giveUp()), ESCAPE_MS);
    if (keys.length > 0) on.keys(keys);
  }

  function resize(): void {
    screen.forget();
    on.resize();
  }

  const atExit = () => give("returned");
  /** The terminal first; then the signal does what it would have done. */
  function atSignal(signal: NodeJS.Signals): void {
    close();
    process.kill(process.pid, signal);
  }

  function close(): void {
    give("returned");
    stdout.off("resize", resize);
    process.off("exit", atExit);
    for (const signal of ending) process.off(signal, atSignal);
  }

  stdout.on("resize", resize);
  // An error that nobody catches also comes by here, before it is printed.
  process.on("exit", atExit);
  for (const signal of ending) process.on(signal, atSignal);
  take();

  return {
    size: () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 }),
    draw(lines) {
      if (has === "ours") screen.draw(lines);
    },
    forget: screen.forget,
    async lend(to) {
      give("lent");
      try {
        return await to();
      } finally {
        if (has === "lent") take();
      }
    },
    suspend() {
      give("lent");
      process.once("SIGCONT", () => {
        if (has !== "lent") return;
        take();
        on.resize();
      });
      // The whole group, as the terminal would: a shell waits for all of it.
      process.kill(0, "SIGTSTP");
    },
    close,
  };
}
