const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const segments = new Intl.Segmenter();

/** Columns that a text takes on a terminal: marks take none, East Asian characters and emoji two. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments.segment(text)) width += segmentWidth(segment);
  return width;
}

/** The text in at most `width` columns, ending in an ellipsis if it was cut. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of segments.segment(text)) {
    used += segmentWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function segmentWidth(segment: string): number {
  if (/^[\p{Mark}\u200b-\u200d]+$/u.test(segment)) return 0;
  return wide.test(segment) || segment.includes("\ufe0f") ? 2 : 1;
}
