/** What a tool gave: the JSON of its one text block. */
export type ToolAnswer = Record<string, unknown> & { isError?: true };

export type RawResult = { content: { type: string; text: string }[]; isError?: boolean };

/** One text block that holds one JSON object, and nothing beside it. */
export function toolAnswer({ content, isError, ...rest }: RawResult): ToolAnswer {
  const [block, ...others] = content;
  if (block?.type !== "text" || others.length > 0 || "structuredContent" in rest) {
    throw new Error(`not one text block: ${JSON.stringify(content)}`);
  }
  return { ...(JSON.parse(block.text) as object), ...(isError === true ? { isError } : {}) };
}
