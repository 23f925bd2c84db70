import type { Environment } from "../client/connect.js";
import type { Finding } from "../model/finding.js";
import type { Backends } from "../selftest/survey.js";

export type TextOutput = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
export type TextInput = AsyncIterable<string | Uint8Array> & {
  isTTY?: boolean;
  /** Of a terminal: what is typed comes key by key, and is not shown. */
  setRawMode?: (isRaw: boolean) => unknown;
  /** Ends whoever reads it. */
  destroy?: () => unknown;
  // For whoever reads what comes and leaves the rest to another program.
  on?: (event: "data", read: (chunk: Uint8Array | string) => void) => unknown;
  off?: (event: "data", read: (chunk: Uint8Array | string) => void) => unknown;
  pause?: () => unknown;
  resume?: () => unknown;
};

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
  /** Ends the hub at once: agents get no time. */
  signal?: AbortSignal;
};

type ConfigRow = { key: string; value: string; origin: string; description: string };

export type KeepingStore = "keychain" | "file";

type KeptSecret = { name: string; store: string; reference: string; usedBy: string[]; problem?: string };

/** The secrets of this home. No answer has any of a secret in it, only references; `noKeychain` says why there is none here. */
export type SecretPort = {
  /** Makes one where no value is given; without a store, the keychain has it, or a file where no keychain answers. */
  set(secret: {
    name: string;
    value: string | undefined;
    store: KeepingStore | undefined;
  }): Promise<{ reference: string; store: KeepingStore; noKeychain?: string }>;
  remove(name: string): Promise<KeepingStore[]>;
  list(): Promise<{ secrets: KeptSecret[]; noKeychain?: string }>;
};

/** What the command line needs of the hub itself. Injected by main.ts: cli/ does not import daemon/. */
export type DaemonPort = {
  /** Runs until the hub has stopped; answers with its exit code. MUST throw a HubError for what keeps it from starting. */
  runHub(options: RunHubOptions): Promise<number>;
  /** Drops the views and folds the journal again; `damaged` is where a damaged file was kept. MUST throw HUB_RUNNING rather than touch a hub's files. */
  rebuild(onProgress: (events: number) => void): Promise<{ events: number; damaged?: string }>;
  /** The configuration in effect. MUST throw CONFIG_INVALID naming the key that is wrong. */
  config(set: readonly string[]): { file: string; exists: boolean; rows: readonly ConfigRow[] };
  /** What agents can run on, as the configuration says. MUST throw CONFIG_INVALID naming the key that is wrong. */
  backends(): Backends;
  secrets: SecretPort;
  /** What is well and what is wrong around the hub of this home; `isUp`: it answers. MUST start and change nothing. */
  examine(options: { isUp: boolean }): Promise<Finding[]>;
};
