import type { z } from "zod";
import type { hostingRoutes } from "../../contract/http/hosting.js";
import { HubError } from "../../model/errors.js";
import type { PermissionPolicy, RuntimeKind } from "../../model/hosting.js";
import { checkAgentName, firstFreeName } from "../../model/names.js";
import type { ToolsetName } from "../../model/toolset.js";
import { looksLikeOther } from "../parts/split-unsafe.js";

/** What somebody has typed and chosen so far; what is undefined is left to the hub. */
export type SpawnForm = {
  name: string;
  backend: string | undefined;
  runtime: RuntimeKind | undefined;
  project: string;
  model: string;
  permissions: PermissionPolicy | undefined;
  tools: ToolsetName | undefined;
  worktree: boolean | undefined;
  message: string;
};

export const emptyForm: SpawnForm = {
  name: "",
  backend: undefined,
  runtime: undefined,
  project: "",
  model: "",
  permissions: undefined,
  tools: undefined,
  worktree: undefined,
  message: "",
};

export type SpawnBody = z.input<typeof hostingRoutes.spawn.body>;

export function toBody(form: SpawnForm): SpawnBody {
  const { name, backend, runtime, project, model, permissions, tools, worktree, message } = form;
  const text = (value: string) => (value.trim() === "" ? undefined : value.trim());
  const body: SpawnBody = {
    name: text(name),
    backend,
    runtime,
    project: text(withoutSlash(project)),
    model: text(model),
    permissions,
    tools,
    worktree,
    message: message.trim() === "" ? undefined : message,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

export function withoutSlash(path: string): string {
  return path.trim().replace(/(?<=[^/])\/+$/, "");
}

/** What is to be said of a name: nothing of an empty one, since then the hub finds one. */
export type NameCheck =
  | { kind: "empty" }
  | { kind: "free" }
  /** Somebody has it: the new one gets another. */
  | { kind: "taken"; instead: string }
  | { kind: "lookalike"; other: string }
  | { kind: "refused"; why: string };

export function checkName(name: string, taken: readonly string[]): NameCheck {
  const wanted = name.trim();
  if (wanted === "") return { kind: "empty" };
  try {
    checkAgentName(wanted);
  } catch (error) {
    return { kind: "refused", why: error instanceof HubError ? error.message : String(error) };
  }
  if (taken.includes(wanted))
    return { kind: "taken", instead: firstFreeName(wanted, (one) => taken.includes(one)) };
  const other = looksLikeOther(wanted, taken);
  return other === undefined ? { kind: "free" } : { kind: "lookalike", other };
}

/** The folder that a half-typed path is in, and how what is looked for there begins. */
export function splitPath(path: string): { folder: string | undefined; begins: string } {
  const at = path.lastIndexOf("/");
  if (at < 0) return { folder: undefined, begins: path };
  return { folder: at === 0 ? "/" : path.slice(0, at), begins: path.slice(at + 1) };
}

/** Whether a folder is one of these or in one of them. The hub knows what `~` stands for. */
export function isBelow(folder: string, roots: readonly string[]): boolean {
  if (/^~(\/|$)/.test(folder)) return true;
  return roots.some((root) => root === "/" || folder === root || folder.startsWith(`${root}/`));
}
