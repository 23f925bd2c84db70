import { useEffect, useState } from "react";
import { ShownText } from "../../parts/shown-text.js";
import { hasUnsafe } from "../../parts/split-unsafe.js";
import type { CodeToken } from "./highlight-code.js";
import { languageOf } from "./languages.js";

/** Longer code is read as it is: colours would cost more than they tell. */
const MOST = 20_000;

/** Code, in colours as soon as those for its language are loaded. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const lines = useHighlighted(code, language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <pre className="code-block" tabIndex={0}>
      <code>{lines === undefined ? <ShownText text={code} /> : lines.map(renderLine)}</code>
    </pre>
  );
}

function renderLine(tokens: readonly CodeToken[], index: number) {
  return (
    <span key={index} className="code-block__line">
      {tokens.map(({ text, kind }, at) => (
        <span key={at} className={kind === undefined ? undefined : `code-token--${kind}`}>
          {text}
        </span>
      ))}
      {"\n"}
    </span>
  );
}

function useHighlighted(code: string, named: string): readonly (readonly CodeToken[])[] | undefined {
  const [lines, setLines] = useState<{ code: string; tokens: readonly (readonly CodeToken[])[] }>();
  const language = languageOf(named);
  const isWorthIt = language !== undefined && code.length <= MOST && !hasUnsafe(code);
  useEffect(() => {
    if (!isWorthIt || language === undefined) return;
    let isOver = false;
    void import("./highlight-code.js")
      .then(({ highlightCode }) => highlightCode(code, language))
      .then((tokens) => {
        if (!isOver) setLines({ code, tokens });
      })
      // Without colours it reads as well: the hub may be away.
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [code, language, isWorthIt]);
  return lines?.code === code ? lines.tokens : undefined;
}
