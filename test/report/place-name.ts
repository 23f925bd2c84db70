import { createHash } from "node:crypto";
import { basename } from "node:path";

/** A tmux socket's path has at most about a hundred characters, of which this is one folder. */
const READABLE = 12;
const UNIQUE = 7;

/** The name of a test file's own folder. Files of different folders often have the same name, so its path is in it as well. */
export function placeName(file: string): string {
  const hash = createHash("sha1").update(file).digest("hex").slice(0, UNIQUE);
  return `${basename(file).replace(/\..*$/, "").slice(0, READABLE)}-${hash}`;
}
