import type { PermissionPolicy } from "../../backend.js";

/** `deny` keeps it from asking by refusing; a denial goes before every allowance but that of Huddle's own tools. */
export const allowances: Readonly<Record<PermissionPolicy, readonly string[]>> = {
  ask: [],
  "allow-reads": [],
  deny: ["--deny-tool=shell", "--deny-tool=write", "--deny-tool=url"],
  "allow-all": ["--allow-all"],
};
