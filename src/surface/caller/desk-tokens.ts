import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The tokens of desks in browsers. Each is signed by a key that is made from the operator's token, and says itself until
 * when it is good: nothing is stored, a restart of the hub changes nothing, and a new operator token ends all of them.
 */
export type DeskTokens = {
  /** `notAfter` is wall time: one that was got by a desk's own token ends no later than that. */
  issue(notAfter?: number): { token: string; expiresInSeconds: number };
  /** Until when it is good, in wall time; undefined if it is not. */
  check(token: string): number | undefined;
};

type DeskTokenOptions = { operator: string; lifeMs: number; wall: () => number };

/** `hud_desk_`, the second at which it ends, what makes it unlike any other, and the signature of these. */
const pattern = /^(hud_desk_(\d{1,12})\.[A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

export function createDeskTokens({ operator, lifeMs, wall }: DeskTokenOptions): DeskTokens {
  const key = Buffer.from(hkdfSync("sha256", operator, "", "huddle desk token 1", 32));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    issue(notAfter = Number.POSITIVE_INFINITY) {
      const now = Math.floor(wall() / 1000);
      const until = Math.min(now + Math.floor(lifeMs / 1000), Math.floor(notAfter / 1000));
      const text = `hud_desk_${until}.${randomBytes(16).toString("base64url")}`;
      return {
        token: `${text}.${sign(text).toString("base64url")}`,
        expiresInSeconds: Math.max(0, until - now),
      };
    },
    check(token) {
      const [, text, until, signature] = pattern.exec(token) ?? [];
      if (text === undefined || signature === undefined) return undefined;
      const given = Buffer.from(signature, "base64url");
      const wanted = sign(text);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const untilMs = Number(until) * 1000;
      return untilMs > wall() ? untilMs : undefined;
    },
  };
}
