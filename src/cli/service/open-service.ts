import type { CliContext } from "../context.js";
import { usageError } from "../usage-error.js";
import { launchd } from "./launchd.js";
import type { ServiceManager } from "./service-manager.js";
import { describeProgram } from "./service-program.js";
import { systemd } from "./systemd.js";

/** The manager of this platform, with the service of this home. */
export function openServiceManager(cli: CliContext, platform: string = process.platform): ServiceManager {
  const program = describeProgram(cli);
  if (platform === "linux") return systemd(cli, program);
  if (platform === "darwin") return launchd(cli, program);
  throw usageError(
    "huddle service knows systemd (Linux) and launchd (macOS)",
    "Start the hub when you log in by other means: huddle up",
  );
}
