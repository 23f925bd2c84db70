import { homeTarget } from "../client/connect.js";
import { createClient } from "../client/http-client.js";
import type { Health } from "../client/hub-client.js";
import { type HubFile, readHubFile } from "../client/hub-file.js";
import type { HuddlePaths } from "../client/paths.js";
import { HubError } from "../model/errors.js";

/**
 * What `hub.json` leads to: `none` without one; `up` when the hub that wrote it answers; `silent` when nothing
 * answers there, or something else does: it may be starting, stopping, or gone without having cleaned up.
 */
export type HomeHub =
  | { kind: "none" }
  | { kind: "up"; health: Health }
  | { kind: "silent"; file: HubFile; because: string };

/** Looks after the hub of this home; HUDDLE_URL and --hub are about other hubs. Throws if it cannot tell. */
export async function lookAtHomeHub(paths: HuddlePaths, timeoutMs: number): Promise<HomeHub> {
  const file = readHubFile(paths.hubFile);
  if (file === undefined) return { kind: "none" };
  let client: ReturnType<typeof createClient> | undefined;
  try {
    client = createClient({ ...homeTarget(paths, file), timeoutMs });
    const health = await client.health();
    if (health.pid === file.pid) return { kind: "up", health };
    return { kind: "silent", file, because: `another process (${health.pid}) answers at ${file.url}` };
  } catch (error) {
    // It answers, but hangs or speaks another version's language: that is not "not running".
    if (!(error instanceof HubError) || error.code === "TIMED_OUT" || error.details["status"] === 200)
      throw error;
    return { kind: "silent", file, because: error.message };
  } finally {
    client?.close();
  }
}
