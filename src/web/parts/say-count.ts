/** A number of things among those that are loaded: there may be more of them. */
export function sayCount(count: number, isAtLeast: boolean): string {
  return isAtLeast ? `${count}+` : String(count);
}
