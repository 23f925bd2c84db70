import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";

/** The file that a command names: looked up on `path`, unless it is a path itself. */
export function findCommand(
  command: string,
  { path, cwd }: { path: string; cwd: string },
): string | undefined {
  if (command === "") return undefined;
  if (command.includes("/")) {
    const file = isAbsolute(command) ? command : resolve(cwd, command);
    return isExecutable(file) ? file : undefined;
  }
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => resolve(folder, command))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
