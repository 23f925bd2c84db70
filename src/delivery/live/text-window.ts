/** A text that only grows, of which the end is kept. Offsets count from its beginning, kept or not. */
export type TextWindow = {
  add(text: string): void;
  /** How long it is in all. */
  length(): number;
  /** What stands after an offset, or after as much as is missing. */
  since(offset: number): { offset: number; text: string };
};

export function createTextWindow(most: number): TextWindow {
  let kept = "";
  let length = 0;
  return {
    add(text) {
      kept += text;
      length += text.length;
      // Cut in strides: cutting at every piece would copy the whole end each time.
      if (kept.length > 2 * most) kept = kept.slice(-most);
    },
    length: () => length,
    since(offset) {
      const from = Math.max(offset, length - Math.min(kept.length, most));
      return { offset: from, text: kept.slice(kept.length - (length - from)) };
    },
  };
}
