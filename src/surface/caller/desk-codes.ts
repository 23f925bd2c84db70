import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { HubError } from "../../model/errors.js";

/** What a code is worth: a token that ends no later than `notAfter`, in wall time. */
type Grant = { notAfter: number | undefined };

/** One-time codes that open the desk. They live in memory, as hashes, and go with the hub. */
export type DeskCodes = {
  issue(grant: Grant): string;
  /** Works once. Throws CODE_INVALID, or RATE_LIMITED after many that were wrong; a right one is always taken. */
  redeem(code: string): Grant;
};

/** More of them are open only if somebody asks in a loop: the oldest give way. */
const MOST = 32;
/** Failures in a minute that are answered in full. */
const FAILURES = 20;
const MINUTE_MS = 60_000;

export function createDeskCodes(lifeMs: number, monotonic: () => number): DeskCodes {
  let open: { hash: Buffer; until: number; grant: Grant }[] = [];
  let failures: number[] = [];

  /** All of them are compared, each in constant time: how long it takes says nothing about any. */
  function take(code: string): Grant | undefined {
    const given = hashOf(code);
    const now = monotonic();
    const found = open.filter(({ hash: one }) => timingSafeEqual(one, given));
    open = open.filter((one) => one.until > now && !found.includes(one));
    return found.find(({ until }) => until > now)?.grant;
  }

  function refusal(): HubError {
    const now = monotonic();
    failures = [...failures.filter((at) => at > now - MINUTE_MS), now].slice(-FAILURES - 1);
    const [oldest = now] = failures;
    if (failures.length <= FAILURES) {
      return new HubError(
        "CODE_INVALID",
        "This link was used, or it is too old. Run `huddle ui` in a terminal to open the desk with a new one",
      );
    }
    return new HubError(
      "RATE_LIMITED",
      "Too many wrong codes in the last minute. Run `huddle ui` in a terminal: a new link works at once",
      { retry_after_ms: Math.ceil(oldest + MINUTE_MS - now) },
    );
  }

  return {
    issue(grant) {
      const code = randomBytes(32).toString("base64url");
      const now = monotonic();
      const kept = open.filter(({ until }) => until > now).slice(1 - MOST);
      open = [...kept, { hash: hashOf(code), until: now + lifeMs, grant }];
      return code;
    },
    redeem(code) {
      const grant = take(code);
      if (grant === undefined) throw refusal();
      return grant;
    },
  };
}

function hashOf(code: string): Buffer {
  return hash("sha256", code, "buffer");
}
