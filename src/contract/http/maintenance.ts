import { z } from "zod";
import type { RouteContract } from "./route.js";

const backupBody = z.strictObject({
  file: z.string().min(1).max(4096).describe("An absolute path on the hub's machine, where nothing is yet"),
});

const backedUp = z.object({
  file: z.string(),
  bytes: z.number(),
  events: z.number(),
  /** The newest event in it. */
  seq: z.number(),
});

const pruneBody = z.strictObject({ before: z.string().min(1).max(40).describe("An ISO 8601 time") });

const pruned = z.object({
  /** How many events were deleted. */
  events: z.number(),
  /** The oldest event that is left. */
  first: z.number(),
  /** Why not all went: mail that waits and requests that are open keep their events, and the newest one always stays. */
  kept_by: z.enum(["unfinished", "newest"]).nullable(),
});

export const maintenanceRoutes = {
  backup: {
    method: "POST",
    path: "/api/backup",
    summary: "Copy the database into a new file on the hub's machine, while it works, and verify the copy",
    access: "operator",
    body: backupBody,
    status: 200,
    response: backedUp,
    errors: ["FILE_EXISTS", "FILE_UNUSABLE", "MAINTENANCE_RUNNING"],
  },
  prune: {
    method: "POST",
    path: "/api/prune",
    summary: "Delete the events before a time; what is still needed stays",
    access: "operator",
    body: pruneBody,
    status: 200,
    response: pruned,
    errors: ["MAINTENANCE_RUNNING"],
  },
} as const satisfies Record<string, RouteContract>;
