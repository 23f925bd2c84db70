import stringWidth from "string-width";

const segments = new Intl.Segmenter();

/** The text in at most `width` columns of a terminal, ending in an ellipsis if it was cut. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
