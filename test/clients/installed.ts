import { existsSync } from "node:fs";
import { clientPrograms, programPath } from "../../scripts/client-programs.mjs";

/** The path of an installed program. */
export function installedProgram(name: string): string {
  const program = clientPrograms.find((one) => one.name === name);
  if (program === undefined) throw new Error(`there is no client named "${name}"`);
  const path = programPath(program);
  if (!existsSync(path)) throw new Error(`${path} is missing. Run: npm run clients:install`);
  return path;
}
