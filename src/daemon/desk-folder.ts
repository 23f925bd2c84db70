import { fileURLToPath } from "node:url";

/** Where the build puts the desk: beside the folder of the hub's own parts. */
export function deskFolder(): string {
  return fileURLToPath(new URL("../web/", import.meta.url));
}
