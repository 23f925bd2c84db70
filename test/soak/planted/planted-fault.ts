/*
 * A change of the sources that breaks one promise, and the test of it that must then fail. Each text is found exactly once in its
 * file: a fault that no longer fits the sources is an error, and never a fault that was not planted.
 */

export type Edit = { file: string; find: string; put: string };

export type PlantedFault = {
  /** What the broken hub does. */
  name: string;
  /** The number of the promise in docs/promises.md. */
  promise: number;
  edits: readonly Edit[];
  /** The test as CI runs it, by its file and words of its name. */
  guard: { file: string; test: string };
  /** What the test says of it: one that fails for another reason has not found the fault. */
  says: RegExp;
};

/** The text with the edit in it. */
export function plant(text: string, { file, find, put }: Edit): string {
  const found = text.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times, not once:\n${find}`);
  return text.replace(find, () => put);
}
