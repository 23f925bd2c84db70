import type { ExitKind } from "../contract/error-contract.js";
import { errorContracts } from "../contract/errors.js";
import type { HubErrorCode } from "../model/errors.js";

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
/** Of doctor and selftest: they found problems. */
export const EXIT_PROBLEMS = 8;
export const EXIT_INTERRUPTED = 130;

const numbers: Readonly<Record<ExitKind, number>> = {
  failed: EXIT_FAILED,
  usage: 2,
  unreachable: 3,
  "not found": 4,
  denied: 5,
  "rate-limited": 6,
  "timed out": 7,
};

export function exitCodeOf(code: HubErrorCode): number {
  return numbers[errorContracts[code].exit];
}
