import { z } from "zod";
import type { RouteContract } from "./route.js";

const foldersQuery = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\0]+$/, "must not hold a NUL character")
    .optional()
    .describe("An absolute path, or one that begins with `~/`; default: where to begin"),
});

const folder = z.object({
  name: z.string(),
  path: z.string(),
  /** It is the top of a git working tree. */
  git: z.boolean(),
});

const folderList = z.object({
  /** Where this is, without symbolic links; null: where to begin. */
  path: z.string().nullable(),
  /** Null: it is as far up as agents may work. */
  parent: z.string().nullable(),
  git: z.boolean(),
  /** The folders in it, by name, without hidden ones. */
  folders: z.array(folder),
  /** How many are left out, because there are too many. */
  cut: z.number(),
  /** `allowed_roots` of the configuration. */
  roots: z.array(z.string()),
  /** Where agents worked lately, the newest first; only without a path. */
  recent: z.array(folder),
});

export const folderRoutes = {
  list: {
    method: "GET",
    path: "/api/folders",
    summary: "The folders in which agents may work, to choose a project from",
    access: "operator",
    query: foldersQuery,
    status: 200,
    response: folderList,
    errors: ["PROJECT_NOT_ALLOWED"],
  },
} as const satisfies Record<string, RouteContract>;
