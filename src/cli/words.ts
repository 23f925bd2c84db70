import { globalsWithValue } from "./globals.js";

/** The words of a command line that are not options: the first is the command. */
export function wordsOf(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--") return words.concat(argv.slice(i + 1));
    if (globalsWithValue.has(word)) i++;
    else if (!word.startsWith("-") || word === "-") words.push(word);
  }
  return words;
}

/** Known before commander is asked: its own complaints must come in the wanted form too. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}
