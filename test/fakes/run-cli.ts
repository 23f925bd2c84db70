import { Readable, Writable } from "node:stream";
import type { CliIo, DaemonPort } from "../../src/cli/cli-io.js";
import { runCli } from "../../src/cli/run-cli.js";
import { tempFolder } from "./temp-folder.js";

export type CliRun = { code: number; stdout: string; stderr: string };

export type CliWorld = {
  /** Undefined is a terminal. */
  stdin?: string | Uint8Array;
  /** What the person types at it. */
  typed?: string;
  env?: Record<string, string>;
  /** The person's home folder. */
  home?: string;
  tty?: boolean;
  columns?: number;
  daemon?: Partial<DaemonPort>;
  self?: CliIo["self"];
  signal?: AbortSignal;
  now?: number;
  /** Called with everything printed so far, whenever there is more. */
  onPrint?: (stdout: string) => void;
};

/** One run of the command line in this process, in a home of its own unless the environment names one. */
export async function cli(argv: readonly string[], world: CliWorld = {}): Promise<CliRun> {
  const out = sink(world, world.onPrint);
  const err = sink(world);
  const input = world.stdin ?? world.typed;
  const code = await runCli(argv, {
    env: { HUDDLE_HOME: world.env?.["HUDDLE_HOME"] ?? tempFolder(), ...world.env },
    home: world.home ?? "/nowhere",
    stdin: Object.assign(Readable.from(input === undefined ? [] : [Buffer.from(input)]), {
      isTTY: world.stdin === undefined,
    }),
    stdout: out.stream,
    stderr: err.stream,
    now: () => world.now ?? Date.now(),
    interruption: () => world.signal ?? new AbortController().signal,
    self: world.self ?? ["/no/such/program"],
    loadDaemon: async () => ({
      runHub: unscripted,
      rebuild: unscripted,
      config: unscripted,
      backends: unscripted,
      secrets: { set: unscripted, remove: unscripted, list: unscripted },
      examine: unscripted,
      ...world.daemon,
    }),
  });
  return { code, stdout: out.text(), stderr: err.text() };
}

/** The same, where the hub may take its time: on a busy machine it answers later than a person would wait. */
export function patientCli(argv: readonly string[], world: CliWorld = {}): Promise<CliRun> {
  return cli([...argv, "--timeout=5m"], world);
}

function unscripted(): never {
  throw new Error("this test has no such daemon");
}

function sink({ tty = false, columns = 80 }: CliWorld, onPrint: (text: string) => void = () => {}) {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString("utf8");
      onPrint(text);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: tty, columns }), text: () => text };
}
