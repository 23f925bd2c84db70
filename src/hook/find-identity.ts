import { statSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve, sep } from "node:path";
import { readJson } from "../bridge/json.js";
import { listKept } from "../bridge/kept-identities.js";
import { distance } from "./find-cli.js";
import type { ProcessTree } from "./process-tree.js";

/** Who the hook speaks as, and where its hub is. */
export type HookIdentity = { token: string; url: string };

/**
 * The identity of the bridge that the same CLI runs: the hook asks in its name, and never for one of its own. Undefined when
 * there is none (yet), or no hub.
 */
export function findIdentity(data: string, cli: number, tree: ProcessTree): HookIdentity | undefined {
  const [nearest] = listKept(join(data, "bridges"))
    .flatMap((kept) => {
      const steps = kept.isHeld ? distance(tree, kept.holder, cli) : undefined;
      return steps === undefined ? [] : [{ ...kept, steps }];
    })
    .sort((a, b) => a.steps - b.steps || a.holder - b.holder);
  if (nearest === undefined) return undefined;
  const { key, token } = readJson(nearest.file) ?? {};
  if (typeof key !== "string" || typeof token !== "string") return undefined;
  const [host, hub = ""] = key.split("\n");
  const url = /^https?:\/\//.test(hub) ? hub : runningHub(hub);
  return host === hostname() && url !== undefined ? { token, url: withoutSlash(url) } : undefined;
}

/** That of an identity file, for a bridge that was given one. The file may be older than the hub's address. */
export function readIdentityFile(data: string, file: string): HookIdentity | undefined {
  const { token, url } = readJson(file) ?? {};
  const found = resolve(file).startsWith(data + sep) ? (runningHub(data) ?? url) : url;
  if (typeof token !== "string" || typeof found !== "string") return undefined;
  // As the bridge does: what others can read is nobody's identity.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) return undefined;
  return { token, url: withoutSlash(found) };
}

function runningHub(data: string): string | undefined {
  const url = readJson(join(data, "hub.json"))?.["url"];
  return typeof url === "string" && URL.canParse(url) ? url : undefined;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
