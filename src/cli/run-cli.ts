import { CommanderError } from "commander";
import { HubError } from "../model/errors.js";
import type { CliIo } from "./cli-io.js";
import { commandTable } from "./command-table.js";
import type { Act } from "./context.js";
import { openContext } from "./context.js";
import { EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, exitCodeOf } from "./exit-codes.js";
import { readGlobals, wantsJson, wordsOf } from "./globals.js";
import { colorsFor } from "./output.js";
import { buildProgram } from "./program.js";
import { renderError, renderErrorJson } from "./render-error.js";
import { meantCommand } from "./tried-words.js";
import { fromCommander, usageError } from "./usage-error.js";

/** Runs one command line (without the program's own name) and answers with its exit code. Never throws. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exitCode = EXIT_OK;
  let interruption: AbortSignal | undefined;
  const watched: CliIo = {
    ...io,
    interruption: () => {
      interruption ??= io.interruption();
      return interruption;
    },
  };
  const command = commandIn(argv);
  try {
    if (command !== undefined) checkCommand(command);
    const program = await buildProgram({
      command,
      write: (text) => void io.stdout.write(text),
      width: io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : undefined,
      act:
        (parsed): Act =>
        async (work) => {
          const cli = openContext(watched, readGlobals(parsed), describeProgram);
          try {
            exitCode = (await work(cli)) ?? EXIT_OK;
          } finally {
            cli.close();
          }
        },
    });
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (interruption?.aborted === true) return EXIT_INTERRUPTED;
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_OK;
    return report(error instanceof CommanderError ? fromCommander(error, command) : error, argv, io);
  }
}

/** For completion. */
function describeProgram(command: string | undefined) {
  return buildProgram({ command, act: () => async () => {}, write: () => {} });
}

/** `huddle help send` is about `send`. */
function commandIn(argv: readonly string[]): string | undefined {
  const [first, second] = wordsOf(argv);
  return first === "help" ? second : first;
}

function checkCommand(command: string): void {
  if (commandTable.some(({ name, aliases = [] }) => name === command || aliases.includes(command))) return;
  const meant = meantCommand(command);
  const question = meant === undefined ? "" : `. Did you mean ${meant}?`;
  throw usageError(`There is no command "${command}"${question}`, "See: huddle --help");
}

function report(error: unknown, argv: readonly string[], io: CliIo): number {
  const known = error instanceof HubError ? error : unforeseen(error);
  const colors = colorsFor(io.stderr, io.env, !argv.includes("--no-color"));
  io.stderr.write(`${wantsJson(argv) ? renderErrorJson(known) : renderError(known, colors)}\n`);
  return error instanceof HubError ? exitCodeOf(error.code) : EXIT_FAILED;
}

/** A mistake of ours: whoever reports it needs where it happened. */
function unforeseen(error: unknown): HubError {
  const text = error instanceof Error ? error.message : String(error);
  const where = error instanceof Error ? error.stack?.split("\n")[1]?.trim() : undefined;
  return new HubError(
    "INTERNAL",
    `Huddle failed in a way it did not foresee: ${text}`,
    where === undefined ? {} : { hint: where },
  );
}
