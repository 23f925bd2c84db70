/** The name of what is generated, and its text. */
export type Part = readonly [name: string, text: string];

type Filled = { text: string; stale: string[]; named: string[]; problems: string[] };

const block = /^<!-- generated: (.+) -->\n([\s\S]*?)^<!-- end -->$/gm;

/** A document with every block as it should be, and what was wrong with them. */
export function fillBlocks(document: string, parts: readonly Part[]): Filled {
  const known = new Map(parts);
  const stale: string[] = [];
  const named: string[] = [];
  const problems: string[] = [];
  const text = document.replace(block, (whole, name: string, content: string) => {
    const part = known.get(name);
    if (content.includes("<!-- generated:")) problems.push(`The block "${name}" has no <!-- end -->.`);
    if (part === undefined) problems.push(`The block "${name}" names nothing that exists.`);
    if (named.includes(name)) problems.push(`The block "${name}" is there twice.`);
    named.push(name);
    if (part === undefined) return whole;
    if (content !== `${part}\n`) stale.push(name);
    return `<!-- generated: ${name} -->\n${part}\n<!-- end -->`;
  });
  const opened = document.match(/^<!-- generated:/gm)?.length ?? 0;
  if (opened !== named.length && problems.length === 0) problems.push("The last block has no <!-- end -->.");
  return { text, stale, named, problems };
}

/** What exists and stands in no document. */
export function findMissing(parts: readonly Part[], named: readonly string[]): string[] {
  return parts.map(([name]) => name).filter((name) => !named.includes(name));
}

/** How many bytes of a document are written by hand, and how many are generated. */
export function countBytes(document: string): { byHand: number; generated: number } {
  const byHand = Buffer.byteLength(document.replace(block, ""));
  return { byHand, generated: Buffer.byteLength(document) - byHand };
}
