import type { Environment } from "../client/connect.js";

export type TextOutput = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
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

type RunHubOptions = {
  /** `key=value` overrides of the configuration, as given. */
  set: readonly string[];
  port?: number;
  json: boolean;
  /** One line for the person, or (with `json`) for the program that started the hub. */
  write: (line: string) => void;
  /** The hub answers, at this address. */
  onReady?: (url: string) => void;
};

type ConfigRow = { key: string; value: string; origin: string; description: string };

/** What the command line needs of the hub itself. Injected by main.ts: cli/ does not import daemon/. */
export type DaemonPort = {
  /** Runs until the hub has stopped; answers with its exit code. MUST throw a HubError for what keeps it from starting. */
  runHub(options: RunHubOptions): Promise<number>;
  /** Drops the views and folds the journal again; `damaged` is where a damaged file was kept. MUST throw HUB_RUNNING rather than touch a hub's files. */
  rebuild(onProgress: (events: number) => void): Promise<{ events: number; damaged?: string }>;
  /** The configuration in effect. MUST throw CONFIG_INVALID naming the key that is wrong. */
  config(set: readonly string[]): { file: string; exists: boolean; rows: readonly ConfigRow[] };
};
