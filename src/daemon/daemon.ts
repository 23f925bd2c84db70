import { existsSync } from "node:fs";
import { loadConfig } from "./config-load.js";
import { describeConfig } from "./describe-config.js";
import { rebuild } from "./rebuild.js";
import { ownPaths, runHub } from "./run-hub.js";

/** What the command line asks of the hub's own process, loaded only when it is needed. */
export const daemon = {
  runHub,
  rebuild,
  config(set: readonly string[]) {
    const file = ownPaths().configFile;
    const { config, origins } = loadConfig({ file, overrides: set });
    return { file, exists: existsSync(file), rows: describeConfig(config, origins) };
  },
};
