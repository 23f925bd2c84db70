import { hash, randomBytes } from "node:crypto";

/** The prefix says what a leaked string is, to a person and to a secret scanner. */
export function newToken(scope: "operator" | "join" | "agent"): string {
  return `hud_${scope}_${randomBytes(32).toString("base64url")}`;
}

/** What is kept of a token. Tokens carry 256 random bits, so a plain hash is enough. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}
