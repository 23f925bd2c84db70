import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it, that only this user can enter. Not `recursive: true`: that never returns where a
 * folder exists and yet cannot have children, such as below /proc.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    // Somebody else made it just now.
    if (!existsSync(folder)) throw error;
  }
}
