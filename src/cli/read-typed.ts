import { once } from "node:events";
import type { CliIo } from "./cli-io.js";

type TypedText = {
  /** Somebody sits there. */
  isPerson: boolean;
  /** What was typed since the last time. */
  take(): string;
  /** Resolves once a line was typed, or at the signal. */
  line(signal: AbortSignal): Promise<void>;
  /** Lets the terminal go, so that the program can end. */
  end(): void;
};

/** Reads along what is typed at a terminal. What comes from a pipe is nobody's answer, and is left alone. */
export function readTyped({ stdin, stdout }: CliIo): TypedText {
  const isPerson = stdin.isTTY === true && stdout.isTTY === true;
  const typing = new EventTarget();
  let text = "";
  if (isPerson) void read();

  async function read(): Promise<void> {
    try {
      for await (const chunk of stdin) {
        text += Buffer.from(chunk).toString("utf8");
        if (text.includes("\n")) typing.dispatchEvent(new Event("line"));
      }
    } catch {
      // The terminal is gone: nobody answers any more.
    }
  }

  return {
    isPerson,
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    async line(signal) {
      text = "";
      await once(typing, "line", { signal }).catch(() => {});
    },
    end() {
      if (isPerson) stdin.destroy?.();
    },
  };
}
