/*
 * A change of a file, line by line. Numbers are those of the file, as far as they are known: a fragment without a place has
 * none, since a wrong number is worse than none.
 */

export type DiffLine = {
  kind: "same" | "old" | "new" | "gap";
  text: string;
  /** Its number before, and after. */
  was?: number | undefined;
  is?: number | undefined;
};

/** Unchanged lines that stay around a change. */
const AROUND = 3;
/** Beyond so many cells a table costs too much: then all of it is old, and all of it new. */
const CELLS_MOST = 4_000_000;

/** `start` is the number of the first line, in the file. */
export function diffTexts(before: string, after: string, start?: number): DiffLine[] {
  const old = toLines(before);
  const now = toLines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const changes = [
    ...old.slice(0, head).map(same),
    ...diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
  return fold(number(changes, start));
}

/** The hunks of a unified diff. What is not part of one is kept as it stands. */
export function readUnified(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let was: number | undefined;
  let is: number | undefined;
  for (const line of toLines(diff)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk !== null) {
      was = Number(hunk[1]);
      is = Number(hunk[2]);
      lines.push({ kind: "gap", text: line });
    } else if (was === undefined || is === undefined) lines.push({ kind: "gap", text: line });
    else if (line.startsWith("-")) lines.push({ kind: "old", text: line.slice(1), was: was++ });
    else if (line.startsWith("+")) lines.push({ kind: "new", text: line.slice(1), is: is++ });
    else if (line.startsWith(" ") || line === "")
      lines.push({ kind: "same", text: line.slice(1), was: was++, is: is++ });
    else lines.push({ kind: "gap", text: line });
  }
  return lines;
}

export function countLines(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: count("new"), removed: count("old") };
}

/** The last line break ends a line, and begins none. */
function toLines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

const same = (text: string): DiffLine => ({ kind: "same", text });
const removed = (text: string): DiffLine => ({ kind: "old", text });
const added = (text: string): DiffLine => ({ kind: "new", text });

/** The longest lines in common, by a table; removed lines stand before what takes their place. */
function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1;
  if (old.length * now.length > CELLS_MOST) return [...old.map(removed), ...now.map(added)];
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const before = old[i];
    const after = now[j];
    if (before !== undefined && before === after) {
      lines.push(same(before));
      i++;
      j++;
    } else if (before !== undefined && (after === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(before));
      i++;
    } else if (after !== undefined) {
      lines.push(added(after));
      j++;
    }
  }
  return lines;
}

function number(lines: readonly DiffLine[], start: number | undefined): DiffLine[] {
  if (start === undefined) return [...lines];
  let was = start;
  let is = start;
  return lines.map((line) => ({
    ...line,
    ...(line.kind === "new" ? {} : { was: was++ }),
    ...(line.kind === "old" ? {} : { is: is++ }),
  }));
}

/** Long stretches that stay as they are become a line that says how long: nothing of them happens. */
function fold(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same");
  const kept: DiffLine[] = [];
  let skipped = 0;
  const close = () => {
    if (skipped > 0)
      kept.push({ kind: "gap", text: `${skipped} unchanged ${skipped === 1 ? "line" : "lines"}` });
    skipped = 0;
  };
  lines.forEach((line, at) => {
    if (line.kind === "same" && !isNear(at)) {
      skipped++;
      return;
    }
    close();
    kept.push(line);
  });
  close();
  return kept;
}
