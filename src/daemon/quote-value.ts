const LONGEST = 60;

/** A value from outside, quoted for an error message: short, on one line, and unable to drive the terminal. */
export function quoteValue(value: unknown): string {
  const text = escapeControls(JSON.stringify(value) ?? String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Control characters, line separators and marks that turn the direction of text, made visible. */
export function escapeControls(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
