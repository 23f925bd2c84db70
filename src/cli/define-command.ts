import type { Command } from "commander";
import type { CliContext } from "./context.js";

/** Runs a command's work with an open context; what it answers is the exit code, nothing means 0. */
export type Act = (work: (cli: CliContext) => Promise<number> | Promise<void>) => Promise<void>;

/** Gives a command its arguments, options and action. */
export type DefineCommand = (command: Command, act: Act) => void;
