/** So many steps are tried; who finds none in them has other things to look at. */
const MOST_STEPS = 5000;

/**
 * The longest way round by which these write to each other in turn and come back to the first: three at least, in their order.
 * `follows` tells whom one writes to.
 */
export function findRing(
  names: readonly string[],
  follows: (name: string) => readonly string[],
): readonly string[] | undefined {
  let longest: readonly string[] = [];
  let steps = 0;
  const among = new Set(names);

  function goOn(way: readonly string[], first: string): void {
    const last = way.at(-1) ?? first;
    for (const next of follows(last)) {
      steps += 1;
      if (steps > MOST_STEPS || longest.length === names.length) return;
      if (next === first && way.length > longest.length && way.length >= 3) longest = way;
      else if (among.has(next) && !way.includes(next)) goOn([...way, next], first);
    }
  }

  for (const name of names) goOn([name], name);
  return longest.length === 0 ? undefined : longest;
}
