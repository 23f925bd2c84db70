/** Digits that stand for letters, and `i`, which in capitals is an `l`. */
const inWords: Readonly<Record<string, string>> = { i: "l", 0: "o", 1: "l", 3: "e", 4: "a", 5: "s", 7: "t" };

/** Small letters and digits, where those that look alike are alike. For comparing only. */
export function foldPlain(text: string): string {
  return joinLetters(text.replace(/[i013457]/g, (character) => inWords[character] ?? character));
}

/** Two that look like one. */
export function joinLetters(text: string): string {
  return text.replaceAll("rn", "m").replaceAll("vv", "w");
}
