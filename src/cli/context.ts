import type { Command } from "commander";
import type { HubTarget } from "../client/connect.js";
import type { HubClient } from "../client/hub-client.js";
import { type HuddlePaths, resolvePaths } from "../client/paths.js";
import type { CliIo } from "./cli-io.js";
import type { Globals } from "./globals.js";
import { createOutput, type Output } from "./output.js";

const TIMEOUT_MS = 10_000;

/** What a command works with. */
export type CliContext = {
  io: CliIo;
  globals: Globals;
  output: Output;
  paths: HuddlePaths;
  /** How long to wait for the hub: as asked for, or `usual`. */
  timeoutMs(usual?: number): number;
  /** Where the hub is; asked again after it went away. */
  locate(): Promise<HubTarget>;
  /** A client of that hub, closed when the command ends. */
  client(): Promise<HubClient>;
  /** All commands, one of them with its arguments and options. Nothing of it runs. */
  describe: Describe;
  close(): void;
};

type Describe = (command: string | undefined) => Promise<Command>;

export function openContext(io: CliIo, globals: Globals, describe: Describe): CliContext {
  const opened: HubClient[] = [];
  const timeoutMs = (usual = TIMEOUT_MS) => globals.timeout ?? usual;
  const locate = async () => {
    const { locateHub } = await import("../client/connect.js");
    return locateHub({ env: io.env, home: io.home, hub: globals.hub });
  };
  return {
    io,
    globals,
    output: createOutput(io, globals),
    paths: resolvePaths(io.env, io.home),
    timeoutMs,
    locate,
    async client() {
      const target = await locate();
      const { createClient } = await import("../client/http-client.js");
      const client = createClient({ ...target, timeoutMs: timeoutMs() });
      opened.push(client);
      return client;
    },
    describe,
    close() {
      for (const client of opened) client.close();
    },
  };
}

/** Runs a command's work with an open context; what it answers is the exit code, nothing means 0. */
export type Act = (work: (cli: CliContext) => Promise<number> | Promise<void>) => Promise<void>;

/** Gives a command its arguments, options and action. */
export type DefineCommand = (command: Command, act: Act) => void;
