import {
  type PermissionPolicy,
  permissionPolicies,
  type RuntimeKind,
  runtimeKinds,
} from "../model/hosting.js";
import type { ToolsetName } from "../model/toolset.js";
import type { VendorName } from "./vendors/clients.js";

/*
 * A backend is a vendor's CLI, as data: how it is found, how it is launched under each runtime, and what is odd about it.
 * The built-in ones are in `vendors/`; a person adds one in `huddle.yaml`.
 */

export { type PermissionPolicy, permissionPolicies, type RuntimeKind, runtimeKinds };

export type Backend = {
  name: string;
  /** Whose flags, configuration and output its CLI has. Without it the backend has no headless form. */
  vendor?: VendorName;
  /** The CLI: a path, or a name on PATH. */
  command: string;
  /** argv of its ACP form; without it the backend has none. */
  acp?: readonly string[];
  /** Appended in every runtime. */
  args: readonly string[];
  /** Added to the allow-listed environment. */
  env: Readonly<Record<string, string>>;
  /** Names of the vendor's own variables that are passed on from the person's environment. */
  passEnv: readonly string[];
  runtime: RuntimeKind;
  /** The person chose the runtime: what else is there does not matter. */
  isRuntimeSet?: boolean;
  /** The policy in force: the backend's default, or what was chosen for the agent. */
  permissions: PermissionPolicy;
  /** The tools that its agents get; without it, those that all get. */
  tools?: ToolsetName;
  /** Whether its agents get a git worktree of their own when nobody says. */
  worktree?: boolean;
  /** The session mode to select, where the agent offers modes. */
  mode?: string;
  /** Shown when the command is missing. */
  install: string;
  /** What brings its ACP form, where that is a program of its own. */
  acpInstall?: string;
};
