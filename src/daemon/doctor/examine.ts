import { systemClock } from "../../model/clock.js";
import { HubError } from "../../model/errors.js";
import type { Finding } from "../../model/finding.js";
import { loadConfig } from "../config-load.js";
import type { HubConfig } from "../config-schema.js";
import { ownPaths } from "../own-paths.js";
import { checkFabric } from "./check-fabric.js";
import { checkLock } from "./check-lock.js";
import { checkPermissions } from "./check-permissions.js";
import { checkPort } from "./check-port.js";
import { checkDisk, checkStore } from "./check-store.js";
import { checkOrphans, checkSecrets, checkTmux } from "./check-surroundings.js";
import type { Place } from "./place.js";

type ExamineOptions = Pick<Place, "isUp"> & Partial<Pick<Place, "paths" | "isGone">>;

/** Looks at everything around a hub of this home that can be looked at without one. Starts and changes nothing. */
export async function examine({ isUp, paths = ownPaths(), isGone }: ExamineOptions): Promise<Finding[]> {
  const { config, finding } = readConfig(paths.configFile);
  const place: Place = { paths, config, isUp, isGone };
  return [
    finding,
    ...checkPermissions(place),
    ...checkLock(place),
    ...(await checkPort(place)),
    ...(await checkStore(place)),
    ...checkDisk(place),
    ...(await checkOrphans(place)),
    ...checkTmux(),
    ...(await checkSecrets(place)),
    ...checkFabric(place, systemClock.wall()),
  ];
}

function readConfig(file: string): { config: HubConfig | undefined; finding: Finding } {
  try {
    const { config } = loadConfig({ file });
    return { config, finding: { check: "configuration", state: "ok", text: file } };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const [editor = "vi"] = (process.env["EDITOR"] ?? "").split(" ").filter((word) => word !== "");
    const finding: Finding = {
      check: "configuration",
      state: "problem",
      text: error.message,
      fix: `${editor} ${file}`,
    };
    return { config: undefined, finding };
  }
}
