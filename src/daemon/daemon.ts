import { existsSync } from "node:fs";
import { buildBackends } from "../runtime/backends/build-backends.js";
import { usedReferences } from "./config-comms.js";
import { loadConfig } from "./config-load.js";
import { describeConfig } from "./describe-config.js";
import { examine } from "./doctor/examine.js";
import { ownPaths } from "./own-paths.js";
import { rebuild } from "./rebuild.js";
import { runHub } from "./run-hub.js";
import { listSecrets, removeSecret, setSecret } from "./secret-store/keep-secrets.js";
import type { SecretPlaces } from "./secret-store/resolve-secret.js";

/** What the command line asks of the hub's own process, loaded only when it is needed. */
export const daemon = {
  runHub,
  rebuild,
  examine,
  config(set: readonly string[]) {
    const file = ownPaths().configFile;
    const { config, origins } = loadConfig({ file, overrides: set });
    return { file, exists: existsSync(file), rows: describeConfig(config, origins) };
  },
  backends: () => buildBackends(loadConfig({ file: ownPaths().configFile }).config.backends),
  secrets: {
    set: (secret: Parameters<typeof setSecret>[0]) => setSecret(secret, ownSecrets()),
    remove: (name: string) => removeSecret(name, ownSecrets()),
    list() {
      const { config } = loadConfig({ file: ownPaths().configFile });
      return listSecrets(usedReferences(config["agent-comms"]), ownSecrets());
    },
  },
};

function ownSecrets(): SecretPlaces {
  return { configFolder: ownPaths().config, env: process.env };
}
