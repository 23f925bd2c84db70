import { readFileSync } from "node:fs";

/** From package.json, which lies two folders up in the sources and in what is built. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  return "unknown";
}
