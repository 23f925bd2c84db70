import type { Environment } from "../client/connect.js";
import type { DaemonPort } from "./daemon-port.js";

export type TextOutput = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
export type TextInput = AsyncIterable<string | Uint8Array> & { isTTY?: boolean };

/** Everything that a run of the command line touches of the world outside. */
export type CliIo = {
  env: Environment;
  /** The person's home directory, from which the hub's folders follow. */
  home: string;
  stdin: TextInput;
  stdout: TextOutput;
  stderr: TextOutput;
  now: () => number;
  /** Aborted by Ctrl-C. Asking for it takes Ctrl-C over, so only commands that wait do. */
  interruption: () => AbortSignal;
  /** The command that starts this program again: the executable, then its first arguments. */
  self: readonly [string, ...string[]];
  /** On demand: nothing of the hub is loaded for a command that only talks to one. */
  loadDaemon: () => Promise<DaemonPort>;
};
