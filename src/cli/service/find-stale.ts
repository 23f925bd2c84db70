import { existsSync } from "node:fs";
import type { ServiceManager } from "./service-manager.js";

/** What is wrong with a description that was written earlier, as a sentence; undefined: nothing. */
export function findStale(text: string, manager: ServiceManager): string | undefined {
  if (!manager.isOurs(text)) return `${manager.file} was not written by Huddle`;
  const program = manager.programIn(text);
  const missing = program?.find((path) => !existsSync(path));
  if (missing !== undefined) return `The service runs ${missing}, which is gone`;
  const now = manager.programIn(manager.text);
  const other = program?.find((path, at) => path !== now?.[at]);
  if (other !== undefined)
    return `The service runs ${other}, and this is ${now?.[program?.indexOf(other) ?? 0]}`;
  return undefined;
}
