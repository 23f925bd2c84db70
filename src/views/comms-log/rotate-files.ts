import { renameSync, rmSync } from "node:fs";

/** Makes room for a new `file`: it becomes `file.1`, that one `file.2`, and so on; the oldest of `files` goes. */
export function rotateFiles(file: string, files: number): void {
  if (files === 1) rmSync(file, { force: true });
  for (let n = files - 1; n >= 1; n--) {
    try {
      renameSync(n === 1 ? file : `${file}.${n - 1}`, `${file}.${n}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}
