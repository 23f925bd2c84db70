import type { ToolsetName } from "../../model/toolset.js";
import type { Backend, PermissionPolicy, RuntimeKind } from "../backend.js";
import { type VendorName, vendorNames } from "../vendors/clients.js";
import type { Vendor } from "../vendors/vendor.js";
import { vendors } from "../vendors/vendors.js";

/** A backend as a person writes it in `huddle.yaml`: what is left out is that of the vendor. */
type BackendSettings = {
  like?: VendorName | undefined;
  command?: string | undefined;
  acp?: readonly string[] | undefined;
  args?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  runtime?: RuntimeKind | undefined;
  permissions?: PermissionPolicy | undefined;
  tools?: ToolsetName | undefined;
  worktree?: boolean | undefined;
  mode?: string | undefined;
};

type Backends = ReadonlyMap<string, Backend>;

/** The built-in backends with the person's changes, and those that the person added. */
export function buildBackends(settings: Readonly<Record<string, BackendSettings>>): Backends {
  const names = [...new Set<string>([...vendorNames, ...Object.keys(settings)])];
  return new Map(names.map((name) => [name, buildBackend(name, settings[name] ?? {})]));
}

function buildBackend(name: string, own: BackendSettings): Backend {
  const vendor = own.like ?? vendorNames.find((known) => known === name);
  const spec = vendor === undefined ? undefined : vendors[vendor];
  const command = own.command ?? spec?.command ?? name;
  const acp = own.acp ?? (spec === undefined ? undefined : acpOf(spec.acp, command));
  return {
    name,
    command,
    args: own.args ?? [],
    env: own.env ?? {},
    passEnv: spec?.passEnv ?? [],
    runtime: own.runtime ?? (acp === undefined ? "tmux" : "acp"),
    ...(own.runtime === undefined ? {} : { isRuntimeSet: true }),
    permissions: own.permissions ?? "ask",
    install: spec?.install ?? `Install it, or set backends.${name}.command to where it is.`,
    ...(vendor === undefined ? {} : { vendor }),
    ...(acp === undefined ? {} : { acp }),
    ...(spec !== undefined && "install" in spec.acp && own.acp === undefined
      ? { acpInstall: spec.acp.install }
      : {}),
    ...(own.tools === undefined ? {} : { tools: own.tools }),
    ...(own.worktree === undefined ? {} : { worktree: own.worktree }),
    ...(own.mode === undefined ? {} : { mode: own.mode }),
  };
}

function acpOf(form: Vendor["acp"], command: string): readonly string[] {
  return "program" in form ? form.program : [command, ...form.args];
}
