import { homedir } from "node:os";
import { type HuddlePaths, resolvePaths } from "../client/paths.js";

/** Where the hub of this process's environment has its files. */
export function ownPaths(): HuddlePaths {
  return resolvePaths(process.env, homedir());
}
