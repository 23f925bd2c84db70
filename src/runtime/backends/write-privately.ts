import { chmod, writeFile } from "node:fs/promises";

/** A file that only the person can read, whatever its mode was before. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
