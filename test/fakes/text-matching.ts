import { expect } from "vitest";

/** vitest's own matchers are typed `any`; these may stand in an expected object. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}

export function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
