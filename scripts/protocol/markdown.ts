/** Words of the protocol, as they are. */
export function code(word: unknown): string {
  return `\`${String(word)}\``;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => "---"), ...rows.map((cells) => cells.map(cell))]
    .map((cells, line) => (line === 1 ? `|${cells.join("|")}|` : `| ${cells.join(" | ")} |`))
    .join("\n");
}

/** A bar would end the cell, in code too. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Blocks of Markdown, one below the other. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
