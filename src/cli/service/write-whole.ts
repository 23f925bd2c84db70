import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Whole or not at all; for its owner only, as a proxy's address may have a password in it. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
