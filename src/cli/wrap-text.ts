import stringWidth from "string-width";
import { segmentsOf } from "./segments-of.js";

/**
 * Breaks each line at its spaces so that it stands in `width` columns; what has none is broken where it ends. Undefined: a
 * program reads it, and lines stay as they are.
 */
export function wrapText(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => wrapLine(line, Math.max(10, width)))
    .join("\n");
}

/** The same, with each line behind an indent that counts. */
export function indentText(text: string, width: number | undefined, indent = "  "): string {
  return wrapText(text, width === undefined ? undefined : width - indent.length)
    .split("\n")
    .map((line) => `${indent}${line}`.trimEnd())
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (current !== "" && stringWidth((current + word).trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = "";
    }
    const [rest = "", ...full] = breakWord(word, width).reverse();
    lines.push(...full.reverse());
    current += rest;
  }
  return [...lines, current.trimEnd()].join("\n");
}

function breakWord(word: string, width: number): string[] {
  if (stringWidth(word.trimEnd()) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of segmentsOf(word)) {
    if (stringWidth((piece + segment).trimEnd()) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece];
}
