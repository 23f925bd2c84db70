/** A sentence of somebody else's as a part of one of ours: on one line, without its full stop. */
export function clause(sentence: string): string {
  return sentence.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
