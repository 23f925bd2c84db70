import { existsSync, readFileSync, rmSync } from "node:fs";
import { HubError } from "../../model/errors.js";
import type { ServiceManager } from "./service-manager.js";

/** `unasked`: the file is gone, but the manager did not answer. `foreign`: the file is not ours, and stays. */
export type RemovedService = "none" | "removed" | "unasked" | "foreign";

/** Takes the service out; with `stop` its hub is stopped. The hub's data stays. */
export async function removeService(manager: ServiceManager, stop: boolean): Promise<RemovedService> {
  const { file, isOurs } = manager;
  if (!existsSync(file)) return "none";
  if (!isOurs(readFileSync(file, "utf8"))) return "foreign";
  let answers = true;
  try {
    await manager.check();
    await manager.disable(stop);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    answers = false;
  }
  rmSync(file, { force: true });
  if (!answers) return "unasked";
  await manager.forget();
  return "removed";
}
