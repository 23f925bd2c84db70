/*
 * Numbers that JSON can write and JSON.parse cannot hold: 1e999 would be stored as null, 1e-400 as 0, and
 * 9007199254740993 as another whole number. Fractions that are rounded in their last digits are what every program expects.
 */

/** Fifteen digits are always safe. */
const SAFE_LENGTH = 15;

export function isLossy(literal: string): boolean {
  if (literal.length <= SAFE_LENGTH && !/e/i.test(literal)) return false;
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /^[^e]*[1-9]/i.test(literal);
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  const whole = literal.replace(/\.0*$/, "");
  if (/[.e]/i.test(whole)) return false;
  return String(value) !== whole && BigInt(value) !== BigInt(whole);
}
