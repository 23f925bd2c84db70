import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ServerCommand } from "../runtime/vendors/connection.js";
import { type ConfigFile, readConfigFile, writeConfigFile } from "./config-file.js";
import { type ConnectionsFile, hashOf } from "./connections-file.js";
import { isInEffect, makeEdit } from "./edits.js";
import { type ConnectionPlan, filesOf } from "./plan-connection.js";
import { type FilePlan, folderToMake, formats, isChange } from "./plan-file.js";

type ApplyOptions = {
  server: ServerCommand;
  state: ConnectionsFile;
  /** The CLI's program, as it was found. */
  program: string;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  now: number;
};

const OWN_COMMAND_MS = 20_000;

/** Backs up, writes and records every file that changes. */
export async function applyPlan(plan: ConnectionPlan, options: ApplyOptions): Promise<void> {
  const { connection, scope } = plan;
  for (const file of filesOf(plan).filter(isChange)) {
    const { state, now } = options;
    const backup = file.before === undefined ? null : state.backUp(connection.cli, file.file, file.before);
    const earlier = state.find(file.file);
    const record = {
      cli: connection.cli,
      scope,
      file: file.file,
      format: file.format,
      what: file.what,
      at: new Date(now).toISOString(),
      backup,
      made_folder: earlier === undefined ? folderToMake(file.file) : earlier.made_folder,
      edits: file.edits,
    };
    // Before anything is touched: what is interrupted can be undone as well.
    state.keep({ ...record, written: hashOf(file.after) });
    const written = await write(file, plan, options);
    if (written !== file.after) state.keep({ ...record, written: hashOf(written) });
  }
}

/** By the CLI's own command where it has one that says everything; what that left out, or could not do, is written here. */
async function write(file: FilePlan, plan: ConnectionPlan, options: ApplyOptions): Promise<string> {
  const { connection, scope, server } = plan;
  const isNew = file.edits.every(({ previous }) => previous === undefined) && file.before === file.now.text;
  if (file !== server || scope !== "user" || connection.register === undefined || !isNew) {
    writeConfigFile(file.now, file.after);
    return file.after;
  }
  await runOwnCommand(connection.register(options.server), options);
  const now = readConfigFile(file.file);
  if (now.text === file.now.text) {
    writeConfigFile(now, file.after);
    return file.after;
  }
  return complete(file, now);
}

function complete(file: FilePlan, now: ConfigFile): string {
  const format = formats[file.format];
  let text = now.text ?? "";
  for (const edit of file.edits) {
    if (isInEffect(format.parse(text), edit)) continue;
    text = makeEdit(format, text, edit).text;
  }
  if (text !== now.text) writeConfigFile(now, text);
  return text;
}

/** How it went is seen in the file. */
async function runOwnCommand(args: readonly string[], { program, env, home }: ApplyOptions): Promise<void> {
  const running = promisify(execFile)(program, [...args], {
    cwd: home,
    env: { ...env },
    timeout: OWN_COMMAND_MS,
    killSignal: "SIGKILL",
  });
  running.child.stdin?.end();
  await running.catch(() => {});
}
