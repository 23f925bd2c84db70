import { createCssVariablesTheme, createHighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { Language } from "./languages.js";

/* Colours for code. Loaded when the first code of a known language is on the page; each language by itself. */

export type CodeToken = { text: string; kind?: string };

const theme = createCssVariablesTheme({ name: "tokens", variablePrefix: "--code-" });

const grammars: Record<Language, LanguageInput> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

export async function highlightCode(code: string, language: Language): Promise<CodeToken[][]> {
  const shiki = await highlighter;
  await shiki.loadLanguage(grammars[language]);
  const { tokens } = shiki.codeToTokens(code, { lang: language, theme: "tokens" });
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, ...kindOf(color) })));
}

/** A colour is a variable of the theme, `var(--code-token-keyword)`; a class of that name carries it. */
function kindOf(color: string | undefined): { kind?: string } {
  const kind = /--code-token-([a-z-]+)\)/.exec(color ?? "")?.[1];
  return kind === undefined ? {} : { kind };
}
