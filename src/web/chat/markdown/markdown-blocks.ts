/** So much at least in one block: less is not worth a boundary. */
const ENOUGH = 2000;

/**
 * A text in blocks that read the same apart as together, so that of a text that grows only the last is read again. Cut at blank
 * lines outside of code, before a line that begins a paragraph or a heading, and not within lists, quotes or tables.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block = "";
  let fence: string | undefined;
  let before = "";
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const begins =
      fence === undefined && before.trim() === "" && /^(?:[\p{L}\p{N}*_`"'(]|#{1,6} )/u.test(line);
    if (begins && block.length >= ENOUGH && !/^\s*(?:[-+*]|\d+[.)])\s/.test(line)) {
      blocks.push(block);
      block = "";
    }
    block += line;
    before = line;
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return block === "" ? blocks : [...blocks, block];
}
