/** What changes in a text: lines that go begin with `-`, new ones with `+`, the ones around them with a space. */
export function diffLines(before: string, after: string, around = 2): string[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const inner = compare(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  if (inner.length === 0) return [];
  const context = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...context(old.slice(Math.max(0, head - around), head)),
    ...shorten(inner, around),
    ...context(old.slice(old.length - tail).slice(0, around)),
  ];
}

/** Above this many pairs of lines it is said plainly: all of it goes, all of it comes. */
const MOST_PAIRS = 1_000_000;

/** The longest common subsequence, which keeps as many lines as can be. */
function compare(old: readonly string[], fresh: readonly string[]): string[] {
  if (old.length * fresh.length > MOST_PAIRS)
    return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)];
  const width = fresh.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      length[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  for (let i = 0, j = 0; i < old.length || j < fresh.length; ) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(`  ${old[i++]}`);
      j++;
    } else if (i < old.length && (j === fresh.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(`- ${old[i++]}`);
    else lines.push(`+ ${fresh[j++]}`);
  }
  return lines;
}

/** Long stretches that stay are left out. */
function shorten(lines: readonly string[], around: number): string[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some((line) => !line.startsWith(" "));
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? ["  …"] : [];
  });
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
