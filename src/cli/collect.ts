/** For an option that may be given several times. */
export function collect(value: string, earlier: readonly string[]): string[] {
  return [...earlier, value];
}
