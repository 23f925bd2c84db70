/** The languages that are coloured, and what else people call them. */
const languages = {
  bash: ["sh", "shell", "zsh", "console"],
  c: ["h", "cpp", "c++", "hpp", "cc"],
  css: [],
  diff: ["patch"],
  docker: ["dockerfile"],
  go: ["golang"],
  html: ["htm"],
  java: [],
  javascript: ["js", "mjs", "cjs", "jsx"],
  json: ["jsonc", "json5"],
  markdown: ["md"],
  python: ["py"],
  rust: ["rs"],
  sql: [],
  toml: [],
  tsx: [],
  typescript: ["ts", "mts", "cts"],
  xml: ["svg"],
  yaml: ["yml"],
} as const satisfies Record<string, readonly string[]>;

export type Language = keyof typeof languages;

export function languageOf(named: string): Language | undefined {
  const wanted = named.toLowerCase();
  const found = Object.entries(languages).find(
    ([name, aliases]) => name === wanted || aliases.some((alias) => alias === wanted),
  )?.[0];
  return isLanguage(found) ? found : undefined;
}

function isLanguage(name: string | undefined): name is Language {
  return name !== undefined && name in languages;
}
