import { statSync } from "node:fs";
import { HubError } from "../../model/errors.js";

/** A damaged file is rebuilt without asking; a folder of its name is somebody's, and is not deleted. */
export function refuseFolder(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new HubError(
    "DATA_UNUSABLE",
    `${file} is a folder. Remove it, and the hub makes a new file of that name: rm -r ${file}`,
    { file },
  );
}
